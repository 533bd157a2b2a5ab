import * as z from 'zod';
import type { Operation } from '../contract/operation.ts';
import type { Fields } from '../domain/json/values.ts';
import { areaOf } from './clean-writes.ts';
import type { ConformanceFinding, Notebook } from './notebook.ts';
import type { Probe } from './probe.ts';
import { type ConformanceRun, Reading } from './reading.ts';
import { isGet, isList, readChecks, writeChecks } from './scenarios.ts';
import { say } from './texts.ts';

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

const acceptance = z.object({
  check: z.string(),
  operation: z.string(),
  path: z.string(),
  /** Why the deviation is accepted. */
  reason: z.string().min(1),
  /** The last day on which it is, as YYYY-MM-DD. */
  until: z.iso.date(),
});

/** A finding that somebody accepted, for a reason and until a day. */
export type Acceptance = z.output<typeof acceptance>;

const file = z.array(acceptance);

/** Thrown for a file of accepted findings that is none. */
export class AcceptedFileError extends Error {
  readonly kind = 'request';
  readonly code = 'invalid_request';
  readonly outcome = 'not_applied';

  constructor(message: string) {
    super(message);
    this.name = 'AcceptedFileError';
  }
}

/** Reads accepted findings: a JSON list, each with check, operation, path, reason and until. Throws AcceptedFileError. */
export function readAccepted(text: string): readonly Acceptance[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AcceptedFileError(say().accepted.notJson);
  }
  const read = file.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const where = first?.path.join('.') ?? '';
  throw new AcceptedFileError(say().accepted.needs({ at: where, why: first?.message ?? '' }));
}

/** A finding with the acceptance that covers it, if one does. */
export interface Judged extends ConformanceFinding {
  /** Why it is accepted; null if it is not, or no longer. */
  readonly accepted: string | null;
  /** The day on which its acceptance ended. */
  readonly expired: string | null;
}

/** Which findings are accepted today (YYYY-MM-DD). */
export function withAcceptances(
  findings: readonly ConformanceFinding[],
  acceptances: readonly Acceptance[],
  today: string,
): readonly Judged[] {
  return findings.map((finding) => {
    const own = acceptances.filter(
      ({ check, operation, path }) =>
        check === finding.check && operation === finding.operation && path === finding.path,
    );
    const valid = own.find(({ until }) => until >= today);
    return {
      ...finding,
      accepted: valid?.reason ?? null,
      expired: valid === undefined ? (own[0]?.until ?? null) : null,
    };
  });
}
