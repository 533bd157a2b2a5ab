import type { MirrorDialect, Statement } from '../mirror.ts';
import { type RollupTable, rollupTables } from '../rollup-tables.ts';
import type { Contribution } from './contributions.ts';
import { type Inserter, inserterFor } from './statements.ts';

/** What one row of a rollup changes by. */
interface Change {
  readonly group: readonly string[];
  readonly adds: readonly number[];
  /** Whether something was taken away, so that the row may have become empty. */
  readonly isLess: boolean;
}

const BETWEEN = '\0';

/**
 * The changes of one transaction to the rollups, gathered by row. Of a large shop there are some hundred thousand: a row is
 * one text and its sums, and its group is read from the text.
 */
export class RollupChanges {
  readonly #sums = new Map<string, Map<string, number[]>>();
  readonly #less = new Set<string>();

  /** Adds contributions, or takes them away. */
  change(contributions: readonly Contribution[], sign: 1 | -1): void {
    for (const { table, group, adds } of contributions) {
      const rows = this.#sums.get(table) ?? new Map<string, number[]>();
      if (rows.size === 0) this.#sums.set(table, rows);
      const key = group.join(BETWEEN);
      const known = rows.get(key);
      if (known === undefined)
        rows.set(
          key,
          adds.map((add) => sign * add),
        );
      else for (const [index, add] of adds.entries()) known[index] = (known[index] ?? 0) + sign * add;
      if (sign < 0) this.#less.add(table + BETWEEN + key);
    }
  }

  /** Removes the changes of one row, and returns its sums; none if it has no changes. */
  take(table: string, group: readonly string[]): readonly number[] {
    const rows = this.#sums.get(table);
    const key = group.join(BETWEEN);
    const adds = rows?.get(key) ?? [];
    rows?.delete(key);
    return adds;
  }

  /** What has changed in a rollup; changes that cancel each other out are left out. */
  of(table: string): readonly Change[] {
    const changed = [...(this.#sums.get(table) ?? [])].filter(([, adds]) => adds.some((add) => add !== 0));
    return changed.map(([key, adds]) => ({
      group: key.split(BETWEEN),
      adds,
      isLess: this.#less.has(table + BETWEEN + key),
    }));
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
