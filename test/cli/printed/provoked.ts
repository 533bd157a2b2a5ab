import { adviceWordings } from '../../../src/cli/errors/advice.ts';
import { advised, hintFor, hints } from '../../../src/cli/errors/hints.ts';
import { shipCode } from '../../../src/cli/help/synonyms.ts';
import { wayToFindOut } from '../../../src/cli/report/find-out.ts';
import { hintForProfile, useInstead } from '../../../src/cli/report/hint-for-profile.ts';
import { refusalWordings } from '../../../src/cli/report/refusal-words.ts';
import { driftNotice, withLedger } from '../../../src/cli/report/report.ts';
import { besideRunning } from '../../../src/cli/sandbox/running.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import type { Facts } from '../../../src/client/refusal.ts';
import type { OperationId } from '../../../src/contract/operation-id.ts';
import { polledSentence, stoppedSentence } from '../../../src/events/actions/listen-webhook.ts';
import { run } from '../../../src/main.ts';
import { offlineContext } from '../../support/offline-context.ts';

/** A value as nasty as a name may be: blanks, diacritics, an apostrophe. */
export const NASTY = "Gốm Bát's";

const lists = new Set(['fields', 'known', 'missing', 'profiles', 'settings', 'shops', 'unsaid', 'wrong']);

/** What errors tell besides their message. */
const factNames = [
  'columns',
  'draft',
  'file',
  'formats',
  'holder',
  'id',
  'intent',
  'layouts',
  'origin',
  'places',
  'session',
  'sheets',
];

/** Facts of which each is there; some as they are given. */
const everyFact = (own: Readonly<Record<string, string>> = {}): Facts =>
  new Proxy<Record<string, string | string[]>>(
    { ...Object.fromEntries(factNames.map((name) => [name, NASTY])), ...own },
    {
      get: (given, name) => given[String(name)] ?? (lists.has(String(name)) ? [NASTY, NASTY] : NASTY),
      has: () => true,
    },
  );

/** The facts on which the wording of something depends; the last one has all that there may be. */
const variants: readonly Facts[] = [
  {},
  { kind: 'partner' },
  { shop: '7' },
  { profile: NASTY, of_profile: NASTY },
  { intent: NASTY },
  { credential: 'partner-api-key' },
  { credential: 'shop-key' },
  { credential: 'shop-api-key' },
  { columns: 'x', unmapped: 'all', file: NASTY, command: 'customers create' },
  { columns: 'x', fits: 'variants update' },
  { unmapped: 'constants', file: NASTY },
  everyFact(),
];

const spell = (path: string) => `--${path}`;

/** What is said of errors: each has its facts in a place of its own. */
const errors: readonly Readonly<Record<string, unknown>>[] = variants.flatMap((facts) => [
  { facts, meta: facts, operation: 'shop.Order/GetOrder', fieldErrors: [{ path: 'total_amount', message: '' }] },
  { facts, meta: facts, failure: 'other' },
]);

async function ofProfiles(session: Session, sandboxed: Session): Promise<(string | undefined)[]> {
  const service = { kind: 'service', code: 'unauthenticated' };
  const missing = { kind: 'credential', code: 'credential_missing' };
  return Promise.all([
    hintForProfile({ ...service, operation: 'partner.Shipping/GetOrder' }, session, {}),
    hintForProfile({ ...service, operation: 'partner.Webhook/ListWebhooks' }, session, {}),
    hintForProfile({ ...missing, operation: 'shop.Order/ListOrders' }, session, {}),
    hintForProfile({ ...missing, operation: 'shop.Order/ListOrders' }, sandboxed, {}),
    hintForProfile({ ...missing, operation: 'partner.Shipping/GetOrder' }, sandboxed, {}),
    hintForProfile({ kind: 'network', failure: 'refused' }, sandboxed, {}),
    hintForProfile({ ...service, operation: 'partner.Webhook/ListWebhooks' }, sandboxed, {}),
    hintForProfile(
      { kind: 'credential', code: 'key_bound_elsewhere', facts: { origin: 'https://x.example' } },
      session,
      {},
    ),
    hintForProfile({ kind: 'credential', code: 'shop_mismatch' }, session, {}),
    hintForProfile(
      {
        kind: 'usage',
        code: 'draft_elsewhere',
        facts: { draft: NASTY, base_url: 'https://there.example', family: 'partner', shop: '9' },
      },
      session,
      {},
    ),
  ]);
}

/** Writes of each kind of record, with every name that a request may have. */
async function ofWrites(): Promise<(string | undefined)[]> {
  const names = { external_id: NASTY, group_id: '7' };
  const written: readonly (readonly [OperationId, Readonly<Record<string, string>>])[] = [
    ['shop.Order/CancelOrder', { id: '7' }],
    ['shop.Order/CreateOrder', names],
    ['shop.Product/CreateProduct', {}],
    ['shop.CustomerGroupRelationship/AddCustomers', names],
  ];
  return Promise.all(written.map(([operation, names]) => wayToFindOut({ operation, outcome: 'unknown', names })));
}

const drift = {
  id: NASTY,
  operation: 'shop.Order/GetOrder',
  path: 'code',
  kind: 'breaks',
  expected: 'text',
  seen: 'a number',
  times: 2,
  first_seen: '2026-01-31T08:00:00Z',
  last_seen: '2026-01-31T08:00:00Z',
  service: 'https://there.example',
} as const;

const report = { code: 'x', message: 'x', exit: 'failure', outcome: 'unknown' } as const;

/** What is said to a name in the position of an id. */
async function ofWrongId(): Promise<string> {
  const context = offlineContext(['groups', 'get', NASTY, '--json']);
  await run(context);
  return JSON.parse(context.stderr.text).error.hint;
}

/** Every hint, advice and notice with a command, made from facts that each wording may be given. */
export async function provokedTexts(session: Session, sandboxed: Session): Promise<string[]> {
  const texts = [
    ...Object.values(adviceWordings).flatMap((worded) =>
      [everyFact(), everyFact({ kind: 'partner' })].map((facts) => worded(facts)),
    ),
    ...Object.values(advised).map((worded) => worded({ draft: NASTY })),
    ...Object.values(refusalWordings).flatMap(({ message, hint }) =>
      variants.flatMap((facts) => [message?.(facts, spell), hint?.(facts, spell)]),
    ),
    ...Object.keys(hints).flatMap((code) => errors.map((error) => hintFor(code, error))),
    ...(await ofProfiles(session, sandboxed)),
    ...(await ofWrites()),
    withLedger({ ...report, meta: { intent: NASTY } }, undefined, undefined).hint,
    driftNotice(drift, 1),
    besideRunning(NASTY),
    shipCode(NASTY),
    ...useInstead([NASTY], undefined),
    stoppedSentence('7', 'T', true),
    stoppedSentence('7', 'T', false),
    polledSentence(2),
    // Last, since a run ends with the language that it spoke.
    await ofWrongId(),
  ];
  return [...new Set(texts.filter((text) => text !== undefined))];
}
