import { type RollupTable, rollupTables } from '../schema/rollup-tables.ts';
import type { MirrorDialect } from '../store/dialect.ts';
import type { Statement } from '../store/mirror.ts';
import type { Contribution } from './contributions.ts';
import { type Inserter, inserterFor } from './statements.ts';

interface Change {
  readonly table: string;
  readonly group: readonly string[];
  readonly adds: number[];
  /** Whether something was taken away, so that the row may have become empty. */
  isLess: boolean;
}

const keyOf = (table: string, group: readonly string[]) => `${table}\0${group.join('\0')}`;

/** The changes of one transaction to the rollups, gathered by row. */
export class RollupChanges {
  readonly #changes = new Map<string, Change>();

  /** Adds contributions, or takes them away. */
  change(contributions: readonly Contribution[], sign: 1 | -1): void {
    for (const { table, group, adds } of contributions) {
      const key = keyOf(table, group);
      const known = this.#changes.get(key);
      if (known === undefined) {
        this.#changes.set(key, { table, group, adds: adds.map((add) => sign * add), isLess: sign < 0 });
        continue;
      }
      for (const [index, add] of adds.entries()) known.adds[index] = (known.adds[index] ?? 0) + sign * add;
      known.isLess ||= sign < 0;
    }
  }

  /** Removes the changes of one row, and returns its sums; none if it has no changes. */
  take(table: string, group: readonly string[]): readonly number[] {
    const key = keyOf(table, group);
    const adds = this.#changes.get(key)?.adds ?? [];
    this.#changes.delete(key);
    return adds;
  }

  /** What has changed in a rollup; changes that cancel each other out are left out. */
  of(table: string): readonly Change[] {
    return [...this.#changes.values()].filter(
      (change) => change.table === table && change.adds.some((add) => add !== 0),
    );
  }
}

interface Prepared {
  readonly rollup: RollupTable;
  readonly inserter: Inserter;
  readonly removal: string;
}

function prepare(dialect: MirrorDialect, rollup: RollupTable): Prepared {
  const groups = rollup.dimensions.map(({ name }) => name);
  const sums = rollup.sums.map(({ name }) => name);
  const sets = sums.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');
  const onConflict = `on conflict (${groups.join(', ')}) do update set ${sets}`;
  const where = groups.map((name) => `${name} = ?`).join(' and ');
  return {
    rollup,
    inserter: inserterFor(dialect, rollup.name, [...groups, ...sums], { onConflict }),
    removal: `delete from ${dialect.table(rollup.name)} where ${where} and ${sums[0]} = 0`,
  };
}

/** Applies changes to the rollups: adds the statements for it to a list. */
export function rollupWriter(dialect: MirrorDialect): {
  write(into: Statement[], changes: RollupChanges): void;
} {
  const prepared = rollupTables.map((rollup) => prepare(dialect, rollup));
  return {
    write(into, changes) {
      for (const { rollup, inserter, removal } of prepared) {
        const of = changes.of(rollup.name);
        inserter.insert(
          into,
          of.flatMap(({ group, adds }) => [...group, ...adds]),
        );
        for (const { group, isLess } of of) if (isLess) into.push({ sql: removal, parameters: group });
      }
    },
  };
}
