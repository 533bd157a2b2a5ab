import { labels } from '../contract/labels.ts';
import type { Judged } from './accepted.ts';
import type { Checked } from './notebook.ts';
import { say } from './texts.ts';

/** Why operations were not tested, and how many of them: a clause, such as `the run only reads`. */
export interface Untested {
  readonly reason: string;
  readonly operations: number;
}

/** What a run proved of the operations of the contract; each operation counts once. */
export interface ConformanceSummary {
  readonly operations: number;
  /** Every check that was asked for holds. */
  readonly proved: number;
  /** Out of the run's scope: nothing was asked of them that could prove them. */
  readonly untested: number;
  /** The most frequent reason first. */
  readonly untested_because: readonly Untested[];
  /** Something within the scope could not be decided. */
  readonly undecided: number;
  readonly drifted: number;
  /** They deviate only as was accepted. */
  readonly accepted: number;
  /** No answer arrived, or none of the service itself. */
  readonly unreachable: number;
  readonly holds: number;
  readonly deviates: number;
  readonly unchecked: number;
  readonly not_asked: number;
  /** When a deviation of a drifted operation was first seen, as everyday answers or this run showed it. */
  readonly drifted_since: string | null;
}

type State = 'proved' | 'untested' | 'undecided' | 'drifted' | 'accepted' | 'unreachable';

const unreached = /^the service answered (?:429|50[234])|no answer|connection|could not be|timed out|timeout|refused/i;

const answerOf = (checks: readonly Checked[]) =>
  checks.find(({ check }) => check === 'answer' || check === 'create') ?? checks[0];

function stateOf(checks: readonly Checked[], findings: readonly Judged[]): State {
  if (findings.some(({ accepted }) => accepted === null)) return 'drifted';
  const answer = answerOf(checks)?.result;
  const blind = checks.filter(({ result }) => result === 'unchecked');
  if (blind.length > 0) {
    const isAway = blind.every(({ reason }) => unreached.test(reason ?? '')) && answer !== 'holds';
    return isAway ? 'unreachable' : 'undecided';
  }
  if (findings.length > 0) return 'accepted';
  return answer === 'not asked' ? 'untested' : 'proved';
}

function grouped<Item extends { readonly operation: string }>(items: readonly Item[]): Map<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) found.set(item.operation, [...(found.get(item.operation) ?? []), item]);
  return found;
}

/** Why operations were not tested, by how many they are. */
function reasonsOf(untested: readonly (readonly Checked[])[]): readonly Untested[] {
  const counts = new Map<string, number>();
  for (const checks of untested) {
    const reason = answerOf(checks)?.reason ?? '';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, operations]) => ({ reason, operations }));
  return reasons.sort((one, other) => other.operations - one.operations);
}

/** Sums up a run. `firstSeen` tells since when an operation deviates, as a date and time. */
export function summaryOf(
  checks: readonly Checked[],
  findings: readonly Judged[],
  firstSeen: (operation: string) => string | undefined,
): ConformanceSummary {
  const wrong = grouped(findings);
  const states = [...grouped(checks)].map(([operation, own]) => ({
    operation,
    own,
    state: stateOf(own, wrong.get(operation) ?? []),
  }));
  const those = (state: State) => states.filter((one) => one.state === state);
  const results = (result: Checked['result']) => checks.filter((one) => one.result === result).length;
  const since = those('drifted').flatMap(({ operation }) => firstSeen(operation) ?? []);
  return {
    operations: states.length,
    proved: those('proved').length,
    untested: those('untested').length,
    untested_because: reasonsOf(those('untested').map(({ own }) => own)),
    undecided: those('undecided').length,
    drifted: those('drifted').length,
    accepted: those('accepted').length,
    unreachable: those('unreachable').length,
    holds: results('holds'),
    deviates: results('deviates'),
    unchecked: results('unchecked'),
    not_asked: results('not asked'),
    drifted_since: since.sort()[0] ?? null,
  };
}

/** A summary in one sentence. */
export const summaryText = (summary: ConformanceSummary): string =>
  say().summary({
    ...summary,
    reasons: summary.untested_because.map(({ reason, operations }) =>
      say().because({ operations, why: labels().sentence(reason) }),
    ),
    since: summary.drifted_since?.slice(0, 10),
  });
