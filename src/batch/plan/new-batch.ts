import { accountText } from '../../client/account.ts';
import { dayInZone } from '../../domain/calendar.ts';
import { keysOf } from '../../domain/json/keys-of.ts';
import { readOwn } from '../../domain/json/values.ts';
import type { BatchContext } from '../batch-context.ts';
import type { Batch, NewBatch } from '../store/batches.ts';
import { say } from '../texts.ts';

/** A name for a person to type: the day by the shop's clocks, and a few letters that make it unique in the workspace. */
function newBatchId(now: number, { randomBytes, timeZone = 'UTC' }: BatchContext): string {
  const letters = '23456789abcdefghjkmnpqrstuvwxyz';
  const tail = [...randomBytes(5)].map((byte) => letters[byte % letters.length]).join('');
  return `${dayInZone(now, timeZone).replaceAll('-', '')}-${tail}`;
}

/** The lock of a batch while its rows are read: one that nobody holds was left by a run that was killed. */
const planningLock = (id: string) => `planning-${id}`;

/** Creates a batch that nobody sees before it is opened; `release` lets the next run remove it if it still is not. */
export async function newBatch(
  context: BatchContext,
  fields: Pick<NewBatch, 'do' | 'operation' | 'options' | 'max_total'>,
): Promise<{ readonly batch: Batch; readonly release: () => void }> {
  const { account, batches, connection, signal, workspace } = context;
  const now = connection.clock.now();
  const id = newBatchId(now, context);
  const release = await workspace.hold(planningLock(id), { signal });
  try {
    const created_at = new Date(now).toISOString();
    return { batch: await batches.create({ ...fields, id, account: accountText(account), created_at }), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Removes what killed planning runs left behind. */
export async function sweepPlanning({ batches, workspace }: BatchContext): Promise<void> {
  for (const { id, number } of await batches.list({ states: ['planning'] })) {
    const release = await workspace.tryHold(planningLock(id));
    if (release === undefined) continue;
    await batches.remove(number);
    release();
  }
}

/** The options that every run of a batch keeps. Amounts are currency units. */
export interface BatchOptions {
  /** `cheapest`, `fastest`, `best-value`, or the code of a service. */
  readonly pick?: string | undefined;
  /** Carriers that may be chosen; all if empty. */
  readonly carriers: readonly string[];
  /** The latest delivery time of a parcel, in milliseconds since 1970. */
  readonly by?: number | undefined;
  /** The highest fee of a row. */
  readonly maxFee?: number | undefined;
  /** The highest total of all rows. */
  readonly maxTotal?: number | undefined;
  readonly blankClears: boolean;
}

const words: Readonly<Record<keyof BatchOptions, string>> = {
  pick: 'pick',
  carriers: 'carrier',
  by: 'by',
  maxFee: 'max_fee',
  maxTotal: 'max_total',
  blankClears: 'blank',
};

const shown = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? say().refused.notGiven : String(value);

/** How two sets of options differ, for a person. */
export function optionDifferences(before: BatchOptions, now: BatchOptions): string[] {
  return keysOf(words).flatMap((name) =>
    shown(before[name]) === shown(now[name])
      ? []
      : [say().refused.optionDiffers({ name: words[name], was: shown(before[name]), is: shown(now[name]) })],
  );
}

/** Options as stored. */
export function optionsText(options: BatchOptions): string {
  return JSON.stringify(options);
}

/** The options that a batch was started with. */
export function optionsOf(text: string): BatchOptions {
  return { carriers: [], blankClears: false, ...readOwn<Partial<BatchOptions>>(text) };
}
