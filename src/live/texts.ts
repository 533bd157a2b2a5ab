import { textsIn } from '../domain/language.ts';

/** What a run proved, and why not of all operations. */
interface Summary {
  readonly operations: number;
  readonly proved: number;
  readonly untested: number;
  /** Why operations were not tested, with how many. */
  readonly reasons: readonly string[];
  readonly undecided: number;
  readonly drifted: number;
  readonly accepted: number;
  readonly unreachable: number;
  /** The day since when one deviates. */
  readonly since: string | undefined;
}

interface Shop {
  readonly shop: string;
}

const checksOf = (count: number) => `${count} ${count === 1 ? 'check' : 'checks'}`;

/** What people read of a run of conformance: what it did, found and left, and its report as a page. */
export const liveTexts = {
  because: ({ operations, why }: { operations: number; why: string }) => `${operations} because ${why}`,
  /** A summary in one sentence. */
  summary: (summary: Summary) => {
    const { operations, proved, untested, reasons, undecided, drifted, accepted, unreachable, since } = summary;
    const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    const parts = [
      `${proved} proved`,
      `${untested} untested${why}`,
      ...(undecided === 0 ? [] : [`${undecided} undecided`]),
      `${drifted} drifted${since === undefined ? '' : ` (since ${since})`}`,
      ...(accepted === 0 ? [] : [`${accepted} with accepted deviations only`]),
      `${unreachable} not reachable`,
    ];
    return `${operations} operations: ${parts.join(', ')}`;
  },
  /** A record of a run that could not be removed: by its id, if that is known, and the text that it holds. */
  left: ({ operation, id, mark, why }: { operation: string; id: string | null; mark: string; why: string }) =>
    `A record of ${operation} is still there: ${id === null ? mark : `id ${id}, ${mark}`}: ${why}`,
  alike: 'The sandbox and the service did the same wherever both could be asked.',
  otherShop: ({ shop, own }: Shop & { own: string | undefined }) =>
    `${own === undefined ? 'It is not known which shop the key acts as' : `The key is that of shop ${own}`}, and ${shop} was named: nothing was written.`,
  missing: {
    shop: 'is missing: what is shipped is written to a shop',
    most: 'is missing: shipping costs money, and it is the most that it may cost',
    ship: 'is missing: without it nothing is shipped',
  },
  mayLeaveCustomer: ({ mark }: { mark: string }) =>
    `Its order may create a customer named ${mark}, which this key can neither see nor delete.`,
  began: ({ run, shop, mark }: Shop & { run: string; mark: string }) =>
    `Run ${run} writes to shop ${shop}. Each record that it makes holds ${mark}.`,
  acceptedUntil: ({ operation, check, day }: { operation: string; check: string; day: string }) =>
    `${operation}, ${check}: it was accepted until ${day}`,
  undecided: ({ count, operation, more, why }: { count: number; operation: string; more: number; why: string }) =>
    `${checksOf(count)} of ${more === 0 ? operation : `${operation} and ${more} more`} could not be decided: ${why}`,
  ofElsewhere: ({ run, shop, service }: Shop & { run: string; service: string }) =>
    `Run ${run} wrote to shop ${shop} at ${service}, and is cleaned up with a key of that shop.`,
  nothingLeft: 'No run left anything behind.',
  accepted: {
    notJson: 'The file of accepted findings is not JSON.',
    needs: ({ at, why }: { at: string; why: string }) =>
      `Accepted findings need check, operation, path, a reason and a date until (YYYY-MM-DD): ${at} ${why}`,
  },
  /** The report of a run as a page. */
  page: {
    title: ({ service }: { service: string }) => `Conformance of ${service}`,
    proved: 'proved',
    drifted: 'drifted',
    untested: 'untested',
    undecided: 'undecided',
    acceptedOnly: 'with accepted deviations only',
    unreachable: 'not reachable',
    acceptedFor: ({ reason }: { reason: string }) => `accepted: ${reason}`,
    wasAccepted: ({ day }: { day: string }) => `was accepted until ${day}`,
    differs: ({ path, expected, seen }: { path: string; expected: string; seen: string }) =>
      `${path === '' ? 'the answer' : path}: should be ${expected}, was ${seen}`,
    request: 'the request',
    nothing: 'Nothing that was checked differs from the contract.',
    means: 'What it means',
    where: 'Where',
    what: 'What differs',
    differences: 'What differs from the contract',
    checked: 'What was checked',
    scope: "Unchecked could not be decided and counts as no success; not asked was out of the run's scope.",
    operation: 'Operation',
    checks: 'Checks',
  },
};

export const say = textsIn('live', liveTexts);
