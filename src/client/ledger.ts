import type { Outcome } from './errors.ts';

/** A write of this run, and its known outcome. */
export interface LedgerEntry {
  /** `<family>.<Area>/<Operation>`. */
  readonly operation: string;
  /** `unknown` from just before the first byte until something proves more. */
  readonly outcome: Outcome;
  /** The fields of its request that identify a record: `external_id`, `id`, `code`, …, if given. */
  readonly names: Readonly<Record<string, string>>;
}

/** An entry while its outcome may still change. */
type Entry = Omit<LedgerEntry, 'outcome'> & { outcome: Outcome };

const weight: Readonly<Record<Outcome, number>> = { not_applied: 0, applied: 1, unknown: 2 };

/** The more serious of two outcomes: unknown before applied, applied before not applied. */
export function graver(one: Outcome, other: Outcome): Outcome {
  return weight[other] > weight[one] ? other : one;
}

/** Request fields of the contract that identify a record. */
const naming = [
  'external_id',
  'id',
  'order_id',
  'code',
  'shipping_code',
  'external_code',
  'customer_id',
  'group_id',
  'collection_id',
  'product_id',
];

function namesIn(body: string): LedgerEntry['names'] {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    // `shopctl api` sends any text; one that is not JSON names nothing.
  }
  if (typeof request !== 'object' || request === null) return {};
  const given = new Map<string, unknown>(Object.entries(request));
  const named = naming.map((name) => [name, given.get(name)] as const);
  return Object.fromEntries(
    named.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}

/**
 * All writes that one run has sent. Each is recorded as `unknown` before its first byte is sent; only a response, a
 * refusal that proves itself, or a lookup changes that. Whatever fails later is reported with the state recorded here,
 * so that no failure of ours can claim that nothing happened when an order was placed.
 */
export class WriteLedger {
  readonly #entries: Entry[] = [];

  /** Records a write that is about to be sent; returns a function that records its outcome. */
  enter(operation: string, body: string): (outcome: Outcome) => void {
    const entry: Entry = { operation, outcome: 'unknown', names: namesIn(body) };
    this.#entries.push(entry);
    return (outcome) => {
      entry.outcome = outcome;
    };
  }

  /** Records what a lookup, or a resent request, proved about a write, identified by its own name. */
  settle(operation: string, externalId: string, outcome: Outcome): void {
    for (const entry of this.#entries) {
      if (entry.operation === operation && entry.names.external_id === externalId) entry.outcome = outcome;
    }
  }

  /** The write to report: the latest one with the most serious outcome; undefined if nothing was changed. */
  get gravest(): LedgerEntry | undefined {
    const outcome = this.#entries.reduce<Outcome>((so, entry) => graver(so, entry.outcome), 'not_applied');
    return outcome === 'not_applied' ? undefined : this.#entries.findLast((entry) => entry.outcome === outcome);
  }
}
