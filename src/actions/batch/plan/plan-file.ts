import { isAbsolute, join } from 'node:path';
import { accountText } from '../../../client/account.ts';
import { parseJson } from '../../../domain/json/json.ts';
import { fieldsIn } from '../../../domain/json/value-at.ts';
import { BatchError } from '../../../flows/batch/batch-error.ts';
import type { BatchDesk } from '../../../flows/batch/desk.ts';
import { type BatchOptions, optionDifferences, optionsOf } from '../../../flows/batch/plan/batch-options.ts';
import type { AgreedServices } from '../../../flows/batch/plan/plan.ts';
import { writeParts } from '../../../platform/files/file-parts.ts';
import type { Batch } from '../../../workspace/batches/batches.ts';
import { Refusal } from '../../action/refusal.ts';

/** A plan as saved in a file: the input that was examined, and the service of each row. */
export interface SavedPlan {
  readonly plan: 1;
  /** The absolute path of the planned file. */
  readonly file: string;
  readonly format: string;
  readonly do: string;
  readonly account: string;
  readonly content: string;
  readonly options: BatchOptions;
  readonly rows: readonly {
    readonly row: number;
    readonly name: string;
    readonly carrier: string | null;
    readonly fee: number | null;
    readonly payload: string;
  }[];
}

/** Resolves a path against the working directory of a run. */
export function pathFrom(workingDirectory: string, path: string): string {
  return isAbsolute(path) ? path : join(workingDirectory, path);
}

/** Writes a plan, one row per line, with mode 0600: it contains names and addresses. */
export async function savePlan(
  path: string,
  desk: BatchDesk,
  batch: Batch,
  head: Pick<SavedPlan, 'file' | 'format'>,
): Promise<void> {
  async function* parts() {
    const { do: words, account, content, options } = batch;
    const facts = { plan: 1, ...head, do: words, account, content, options: optionsOf(options) };
    yield `${JSON.stringify(facts).slice(0, -1)},"rows":[`;
    let separator = '\n';
    for (let after = 0; ; ) {
      const rows = await desk.rows.next({ batch: batch.number, states: ['planned'], after, limit: 500 });
      if (rows.length === 0) break;
      after = rows.at(-1)?.row ?? after;
      for (const { row, name, carrier, fee, payload } of rows) {
        yield `${separator}${JSON.stringify({ row, name, carrier, fee, payload })}`;
        separator = ',\n';
      }
    }
    yield '\n]}\n';
  }
  await writeParts(path, parts());
}

function isSavedPlan(value: unknown): value is SavedPlan {
  const { plan, file, rows } = fieldsIn(value);
  return plan === 1 && typeof file === 'string' && Array.isArray(rows);
}

/** Parses a plan. Throws a Refusal for a file that is not a plan. */
export function planIn(text: string, path: string): SavedPlan {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    value = undefined;
  }
  if (isSavedPlan(value)) return value;
  throw new Refusal('no_plan', `${path} is not a plan of a batch`);
}

/** The agreed plan, if nothing has changed since. Throws a BatchError (`plan_stale`). */
export function agreedIn(
  plan: SavedPlan,
  desk: BatchDesk,
  given: BatchOptions | undefined,
): (batch: Batch) => AgreedServices {
  return (batch) => {
    const changed = [
      ...(plan.account === accountText(desk.account) ? [] : ['the account']),
      ...(plan.content === batch.content ? [] : [`the rows of ${plan.file}`]),
      ...(given === undefined ? [] : optionDifferences(plan.options, given)),
    ];
    if (changed.length > 0) {
      throw new BatchError('plan_stale', `the plan is stale: since it was made, this changed: ${changed.join('; ')}`);
    }
    return new Map(plan.rows.map(({ row, payload, carrier, fee }) => [row, { payload, carrier, fee }]));
  };
}
