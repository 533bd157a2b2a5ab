import type { Outcome } from './errors.ts';

/** A write of this run, and what is known of it. */
export interface LedgerEntry {
  /** `<family>.<Area>/<Operation>`. */
  readonly operation: string;
  /** `unknown` from the moment before its first byte until something proves more. */
  readonly outcome: Outcome;
  /** The fields of its request that name a record: `external_id`, `id`, `code`, …, as far as they were given. */
  readonly names: Readonly<Record<string, string>>;
}

const weight: Readonly<Record<Outcome, number>> = { not_applied: 0, applied: 1, unknown: 2 };

/** The outcome that has to be told where two are known: what may have happened before what did, that before nothing. */
export function graver(one: Outcome, other: Outcome): Outcome {
  return weight[other] > weight[one] ? other : one;
}

/** The fields that name a record in the requests of the contract. */
const naming = ['external_id', 'id', 'order_id', 'code', 'shipping_code', 'external_code', 'customer_id'];

function namesIn(body: string): LedgerEntry['names'] {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    // `shopctl api` sends what it is given; what is not JSON names nothing.
  }
  if (typeof request !== 'object' || request === null) return {};
  const given = new Map<string, unknown>(Object.entries(request));
  const named = naming.map((name) => [name, given.get(name)] as const);
  return Object.fromEntries(
    named.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}

/**
 * What one run has sent that may change something. Every write is entered before its first byte leaves, as `unknown`; only
 * an answer, a refusal that proves itself, or a lookup puts more there. Whatever fails later, of whatever kind, is told with
 * what stands here, so that no failure of ours can say of an order that lives that nothing happened.
 */
export class WriteLedger {
  readonly #entries: { operation: string; outcome: Outcome; names: LedgerEntry['names'] }[] = [];

  /** Enters a write that is about to be sent; answers how to put down what became of it. */
  enter(operation: string, body: string): (outcome: Outcome) => void {
    const entry = { operation, outcome: 'unknown' as Outcome, names: namesIn(body) };
    this.#entries.push(entry);
    return (outcome) => {
      entry.outcome = outcome;
    };
  }

  /** Puts down what a lookup, or the same request sent again, proved of a write under a name of its own. */
  settle(operation: string, externalId: string, outcome: Outcome): void {
    for (const entry of this.#entries) {
      if (entry.operation === operation && entry.names.external_id === externalId) entry.outcome = outcome;
    }
  }

  /** The write that has to be told of: the latest of the gravest outcome; undefined where nothing was changed. */
  get gravest(): LedgerEntry | undefined {
    const outcome = this.#entries.reduce<Outcome>((so, entry) => graver(so, entry.outcome), 'not_applied');
    return outcome === 'not_applied' ? undefined : this.#entries.findLast((entry) => entry.outcome === outcome);
  }
}
