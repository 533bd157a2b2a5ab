import { createHash } from 'node:crypto';
import { basename, isAbsolute, join } from 'node:path';
import { accountText } from '../../../client/account.ts';
import { Refusal } from '../../../client/refusal.ts';
import { parseJson } from '../../../domain/json/json.ts';
import { fieldsIn, isRecord } from '../../../domain/json/values.ts';
import { englishOf } from '../../../domain/language.ts';
import { writeParts } from '../../../platform/files/file-parts.ts';
import { Account } from '../../../sheets/account/account.ts';
import type { Mapping } from '../../../sheets/mapping/mapping.ts';
import type { SourceRow } from '../../../sheets/source-row.ts';
import type { BatchContext } from '../../batch-context.ts';
import { BatchError } from '../../batch-error.ts';
import type { AgreedServices } from '../../plan/agreed-services.ts';
import { type BatchOptions, optionDifferences, optionsOf } from '../../plan/new-batch.ts';
import type { OpenedRows } from '../../plan/open-rows.ts';
import type { Batch } from '../../store/batches.ts';
import type { StoredSource } from '../../stored-source.ts';
import { say } from '../../texts.ts';

/** A row of a saved plan: as it was read, and the service that was chosen for it. */
interface SavedRow {
  readonly row: number;
  readonly cell: string;
  readonly name: string;
  readonly carrier: string | null;
  readonly fee: number | null;
  /** When it is delivered, as estimated, in milliseconds since 1970. */
  readonly delivery: number | null;
  /** The request, exactly as the text that is sent; empty for a row that is left out. */
  readonly payload: string;
  readonly value: SourceRow['value'];
  readonly cells: SourceRow['cells'];
  readonly faults: SourceRow['faults'];
}

/** A plan as saved in a file: it needs no other file, and has no path of the machine that it was made on. */
export interface SavedPlan {
  readonly plan: 3;
  readonly do: string;
  readonly account: string;
  readonly content: string;
  readonly options: BatchOptions;
  /** The planned file without its directory, and how it was read. */
  readonly source: StoredSource;
  readonly mapping: Mapping | null;
  readonly skip_bad: boolean;
  readonly rows: readonly SavedRow[];
  /** Of everything else in it, however its JSON is written. */
  readonly digest: string;
}

/** Resolves a path against the working directory of a run. */
export function pathFrom(workingDirectory: string, path: string): string {
  return isAbsolute(path) ? path : join(workingDirectory, path);
}

/** A plan to save, with its rows as they were read. */
export interface PlanToSave {
  readonly batch: Batch;
  readonly read: readonly SourceRow[];
  readonly deliveries: readonly (number | undefined)[];
  readonly source: StoredSource;
  readonly mapping: Mapping | undefined;
  readonly skipBad: boolean;
}

/** The text of a part of a plan, whatever the order of its fields. */
const sortedText = (part: unknown) =>
  JSON.stringify(part, (_, value: unknown) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

/** Collects the digest of a plan: of its facts, then of each row. */
function planDigest(facts: unknown) {
  const hash = createHash('sha256').update(sortedText(facts));
  return { add: (row: unknown) => void hash.update(`\n${sortedText(row)}`), end: () => hash.digest('hex') };
}

function digestOf({ rows, digest: _, ...facts }: SavedPlan): string {
  const digest = planDigest(facts);
  for (const row of rows) digest.add(row);
  return digest.end();
}

/** Writes a plan, one row per line, with mode 0600: it contains names and addresses. */
export async function savePlan(path: string, { rows }: BatchContext, plan: PlanToSave): Promise<void> {
  const { batch, read, deliveries, source, mapping = null, skipBad } = plan;
  async function* parts() {
    const { do: words, account, content, options } = batch;
    const { path: _, ...kept } = source;
    const facts = { do: words, account, content, options: optionsOf(options), skip_bad: skipBad, mapping };
    const head = JSON.stringify({ plan: 3, ...facts, source: { ...kept, name: basename(source.name) } });
    // What a reader will read, where a long number is a text.
    const digest = planDigest(parseJson(head));
    yield `${head.slice(0, -1)},"rows":[`;
    let separator = '\n';
    for await (const { row, cell, name, carrier, fee, payload, state } of rows.each({ batch: batch.number })) {
      const { value: completed = {}, asRead: value = completed, cells = [], faults = [] } = read[row - 1] ?? {};
      const chosen = { carrier, fee, delivery: deliveries[row] ?? null, payload: state === 'planned' ? payload : '' };
      const kept = faults.map((fault) => ({ ...fault, message: englishOf(fault.message) }));
      const line = JSON.stringify({ row, cell, name, ...chosen, value, cells, faults: kept });
      digest.add(parseJson(line));
      yield `${separator}${line}`;
      separator = ',\n';
    }
    yield `\n],"digest":"${digest.end()}"}\n`;
  }
  await writeParts(path, parts());
}

function isSavedPlan(value: unknown): value is SavedPlan {
  const { plan, source, rows } = fieldsIn(value);
  return plan === 3 && isRecord(source) && Array.isArray(rows);
}

/** Parses a plan. Throws a Refusal for a file that is not a plan, and a BatchError for one that was changed by hand. */
export function planIn(text: string, path: string): SavedPlan {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    value = undefined;
  }
  if (isSavedPlan(value)) {
    if (value.digest === digestOf(value)) return value;
    throw new BatchError('plan_stale', say().refused.planChanged({ path }));
  }
  const { plan } = fieldsIn(value);
  const isOlder = plan === 1 || plan === 2;
  throw new Refusal('no_plan', isOlder ? say().refused.planOlder({ path }) : say().refused.noPlan({ path }));
}

/** The rows of a plan, as they were read from its file. */
export function rowsOfPlan({ source, rows }: SavedPlan): OpenedRows {
  async function* read(): AsyncGenerator<SourceRow, void, undefined> {
    for (const { cell, value, cells, faults } of rows) {
      const cellOf = (path: string) => (path === '' ? cell : `${cell}, ${path}`);
      yield { place: cell, value, cells, faults, notes: [], cleared: 0, cellOf, cellNames: () => [] };
    }
  }
  const account = new Account();
  return {
    read: { header: source.columns, leftOut: new Map(), rows: read() },
    account,
    recognised: null,
    kept: source,
  };
}

/** The agreed plan, if nothing has changed since. Throws a BatchError (`plan_stale`). */
export function agreedIn(
  plan: SavedPlan,
  context: BatchContext,
  given: BatchOptions | undefined,
): (batch: Batch) => AgreedServices {
  return (batch) => {
    const changed = [
      ...(plan.account === accountText(context.account) ? [] : [say().refused.theAccount]),
      ...(plan.content === batch.content ? [] : [say().refused.theRows(plan.source)]),
      ...(given === undefined ? [] : optionDifferences(plan.options, given)),
    ];
    if (changed.length > 0) {
      throw new BatchError('plan_stale', say().refused.planStale({ changed }));
    }
    return new Map(
      plan.rows.flatMap(({ row, payload, carrier, fee, delivery }) =>
        payload === '' ? [] : [[row, { payload, carrier, fee, delivery }]],
      ),
    );
  };
}
