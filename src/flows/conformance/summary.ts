import type { Judged } from './accepted.ts';
import type { Checked } from './notebook.ts';

/** What a run proved of the operations of the contract; each operation counts once. */
export interface ConformanceSummary {
  readonly operations: number;
  /** Every check that was asked for holds. */
  readonly proved: number;
  /** Nothing was asked of them, or what was could not be decided. */
  readonly untested: number;
  readonly drifted: number;
  /** No answer arrived, or none of the service itself. */
  readonly unreachable: number;
  readonly holds: number;
  readonly deviates: number;
  readonly unchecked: number;
  readonly not_asked: number;
  readonly accepted: number;
  /** When a deviation of a drifted operation was first seen, as everyday answers or this run showed it. */
  readonly drifted_since: string | null;
}

type State = 'proved' | 'untested' | 'drifted' | 'unreachable';

const unreached = /^the service answered (?:429|50[234])|no answer|connection|could not be|timed out|timeout|refused/i;

function stateOf(checks: readonly Checked[], findings: readonly Judged[]): State {
  if (findings.some(({ accepted }) => accepted === null)) return 'drifted';
  const answer = checks.find(({ check }) => check === 'answer' || check === 'create');
  const blind = checks.filter(({ result }) => result === 'unchecked');
  if (blind.length > 0 && blind.every(({ reason }) => unreached.test(reason ?? '')) && answer?.result !== 'holds')
    return 'unreachable';
  const asked = checks.filter(({ result }) => result !== 'not asked');
  const isDecided = asked.length > 0 && asked.every(({ result }) => result !== 'unchecked');
  const first = answer?.result;
  return isDecided && first !== 'not asked' ? 'proved' : 'untested';
}

function grouped<Item extends { readonly operation: string }>(items: readonly Item[]): Map<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) found.set(item.operation, [...(found.get(item.operation) ?? []), item]);
  return found;
}

/** Sums up a run. `firstSeen` tells since when an operation deviates, as a date and time. */
export function summaryOf(
  checks: readonly Checked[],
  findings: readonly Judged[],
  firstSeen: (operation: string) => string | undefined,
): ConformanceSummary {
  const [byOperation, wrong] = [grouped(checks), grouped(findings)];
  const states = [...byOperation].map(
    ([operation, own]) => [operation, stateOf(own, wrong.get(operation) ?? [])] as const,
  );
  const count = (state: State) => states.filter(([, one]) => one === state).length;
  const results = (result: Checked['result']) => checks.filter((one) => one.result === result).length;
  const since = states
    .flatMap(([operation, state]) => (state === 'drifted' ? (firstSeen(operation) ?? []) : []))
    .sort();
  return {
    operations: states.length,
    proved: count('proved'),
    untested: count('untested'),
    drifted: count('drifted'),
    unreachable: count('unreachable'),
    holds: results('holds'),
    deviates: results('deviates'),
    unchecked: results('unchecked'),
    not_asked: results('not asked'),
    accepted: findings.filter(({ accepted }) => accepted !== null).length,
    drifted_since: since[0] ?? null,
  };
}

/** A summary in one sentence. */
export function summaryText({
  operations,
  proved,
  untested,
  drifted,
  unreachable,
  drifted_since: since,
  accepted,
}: ConformanceSummary): string {
  const from = since === null ? '' : ` (since ${since.slice(0, 10)})`;
  const parts = [
    `${proved} proved`,
    `${untested} untested`,
    `${drifted} drifted${from}`,
    `${unreachable} not reachable`,
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
  ];
  return `${operations} operations: ${parts.join(', ')}`;
}
