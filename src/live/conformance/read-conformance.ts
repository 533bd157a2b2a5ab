import type { Operation } from '../../contract/operation.ts';
import type { Notebook } from './notebook.ts';
import type { Probe } from './probe.ts';
import { type ConformanceRun, Reading } from './reading.ts';
import { isGet, isList, readChecks, writeChecks } from './scenarios.ts';
import { areaOf } from './writes/clean.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a run found, and what those who write need of it. */
export interface ConformanceState {
  readonly notebook: Notebook;
  readonly probe: Probe;
  /** Records that lists gave, by command group: `customers`, `orders`. */
  readonly records: ReadonlyMap<string, readonly Fields[]>;
}

/** Why an operation is outside of a run; undefined if it is within. */
function whyNotAsked(operation: Operation, { areas, connection, writes }: ConformanceRun): string | undefined {
  if (areas !== undefined && !areas.includes(areaOf(operation))) return 'the area was not named';
  if (operation.illustration !== undefined) return 'the contract gives an illustration only';
  if (connection.key(operation.credential) === undefined) return 'the key is of another kind';
  if (operation.effect === 'authorize') return 'a shop would be asked to sign in';
  if (operation.effect === 'read') return undefined;
  return writes ? undefined : 'the run only reads';
}

/** Reading operations in the order in which one needs what another gave: lists first, those with a filter after. */
function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const rank = (operation: Operation) => {
    if (!isList(operation)) return isGet(operation) ? 3 : 0;
    return operation.rules === undefined ? 1 : 2;
  };
  return [...operations].sort((one, other) => rank(one) - rank(other));
}

/** The shape of an operation's checks, whether it reads or writes. */
const checksOf = (operation: Operation) =>
  operation.effect === 'read' ? readChecks(operation) : writeChecks(operation);

/**
 * Reads everything within the run's scope and notes what deviates. Throws the first call's failure if the service cannot
 * be reached at all, and what ends a run.
 */
export async function readConformance(run: ConformanceRun): Promise<ConformanceState> {
  const within = run.operations.filter((operation) => whyNotAsked(operation, run) === undefined);
  const reading = new Reading(run, new Set(within.map(({ id }) => id)));
  const { notebook, probe, records } = reading;
  for (const operation of run.operations) {
    const why = whyNotAsked(operation, run);
    if (why === undefined) continue;
    for (const check of checksOf(operation)) notebook.skip(operation.id, check, 'not asked', why);
  }
  const reads = inOrder(within.filter(({ effect }) => effect === 'read'));
  for (const [index, operation] of reads.entries()) {
    run.onOperation?.(operation);
    await reading.read(operation);
    if (index === 0) await reading.throwIfAway();
  }
  return { notebook, probe, records };
}
