import type { FieldError } from '../contract/operation.ts';
import { totalNames } from '../domain/totals.ts';

/** What an error says of itself, as far as anything is known of it. */
type Told = Readonly<Record<string, unknown>>;

const factsOf = ({ facts }: Told) => (facts ?? {}) as Readonly<Record<string, string | undefined>>;

/** The flags that lead to the account that a draft was made for. */
function towards({ base_url, family, shop }: Readonly<Record<string, string | undefined>>): string {
  return [`--base-url ${base_url}`, `--as ${family}`, ...(shop === undefined ? [] : [`--shop ${shop}`])].join(' ');
}

/** Sums that do not fit can be completed by a command. */
function ofSums({ fieldErrors }: Told): string | undefined {
  const errors = Array.isArray(fieldErrors) ? (fieldErrors as FieldError[]) : [];
  const isSum = errors.some(({ path }) => totalNames.some((name) => name === path));
  return isSum ? '`shopctl totals fill FILE` completes the sums of an order' : undefined;
}

/** What to do next on a command line, by the code of a failure whose own hint says nothing. */
const hints: Readonly<Record<string, (error: Told) => string | undefined>> = {
  unauthenticated: () =>
    'the key was not accepted: see `shopctl auth status`, or sign in again with `shopctl auth login`',
  network: () => 'is the service running and the address right? `shopctl config list --show-origin` tells the address',
  bad_route: () => 'is the base url right? it ends before /v1',
  internal_error: () => 'this is a bug in shopctl; --debug shows where',
  invalid_request: ofSums,
  fee_changed: () => 'nothing was sent; --yes with --max-fee says how far a changed fee is accepted',
  draft_damaged: () =>
    'look for the order at the service; then `shopctl ship drafts remove ID --yes` forgets the draft',
  draft_not_found: () => 'see `shopctl ship drafts list`',
  draft_unsettled: (error) => `see \`shopctl ship drafts show ${factsOf(error).draft ?? 'ID'}\``,
  draft_elsewhere: (error) => {
    const facts = factsOf(error);
    return `go on with it with that account's key, as \`shopctl ship --resume ${facts.draft} ${towards(facts)}\``;
  },
};

/** What to do next about a failure, on a command line; undefined where there is nothing to say. */
export function hintFor(code: string, error: Told): string | undefined {
  return Object.hasOwn(hints, code) ? hints[code]?.(error) : undefined;
}
