import * as z from 'zod';
import type { Ports, Report } from '../../action/ports.ts';
import { accountText, webhookAccountOf } from '../../client/account.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { Refusal } from '../../client/refusal.ts';
import { documentedAs } from '../../contract/schema/json-schema.ts';
import { id, oneOf, text, time } from '../../contract/schema/scalars.ts';
import type { SeenAt } from '../../ledger/known/seen-ends.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { HandOutcome } from '../listen/forward/forward.ts';
import { say } from './texts.ts';

/** Says that no target has that name or address, and which there are. */
export function noTarget(given: string, known: readonly { readonly name: string }[]): string {
  return say().targets.unknown({ given, names: known.map(({ name }) => name) });
}

/** Thrown if no target has that name. */
export class NoSuchTargetError extends Error {
  readonly kind = 'service';
  readonly code = 'not_found';

  constructor(message: string) {
    super(message);
    this.name = 'NoSuchTargetError';
  }
}

/** The name of the target that is meant by its name or address. Throws a NoSuchTargetError. */
export async function nameOfTarget(database: WorkspaceTables, account: string, given: string): Promise<string> {
  const { targetMeant, targetsOf } = await import('../listen/index.ts');
  const known = await targetsOf(database, account);
  const meant = targetMeant(given, known);
  if (meant === undefined) throw new NoSuchTargetError(noTarget(given, known));
  return meant.name;
}

const changeContent = documentedAs(
  z.unknown().meta({ type: 'object', description: 'The change as the service sent it' }),
  { partial: false, load: async () => (await import('../../contract/records/change.ts')).change },
);

/** A stored change, as lists and listeners show it. */
export const eventRecord = z.object({
  id: id('Id of the change in this workspace; a target gets it with each attempt'),
  received_at: time('When it was received, by this machine'),
  source: oneOf(
    ['webhook', 'poll'],
    'How it came: by a webhook, or found by a poll because no webhook had delivered it',
  ),
  entity: text('Kind of the record'),
  change_type: text('What happened to the record'),
  record_id: text('Id of the record'),
  shop_id: z.nullable(text('Shop of the record, where the record tells it')),
  time: time('When it happened, by the service'),
  change: changeContent,
});

/** The columns of a stored change. */
export const eventView = {
  columns: [
    { path: 'id' },
    { path: 'received_at', header: 'received', kind: 'moment' },
    { path: 'entity', kind: 'state' },
    { path: 'change_type', header: 'change', kind: 'state' },
    { path: 'record_id', header: 'record' },
    { path: 'shop_id', header: 'shop', optional: true },
    { path: 'time', kind: 'moment', optional: true },
  ],
  name: 'id',
  fields: ['source', 'change'],
} as const;

/**
 * Whose changes, listeners and targets a run uses: in a shared workspace, those of the account whose key is in force;
 * in a profile's own file all of them, represented by the empty text. Throws a Refusal if no key tells.
 */
export async function eventAccount(
  { settings, connection }: Pick<Ports, 'settings' | 'connection'>,
  { serverTime }: Workspace,
): Promise<string> {
  if (serverTime === undefined) return '';
  const family = settings.as?.value === 'shop' ? 'shop' : 'partner';
  const account = await webhookAccountOf(family, connection());
  if (account !== undefined) return accountText(account);
  throw new Refusal('no_account', say().noAccount, { kind: 'configuration' });
}

/** Whose records received changes are about: the service, and the shop whose own key is in force, if one is. */
export async function seenAt({ settings, connection }: Pick<Ports, 'settings' | 'connection'>): Promise<SeenAt> {
  const own = connection();
  const { origin } = checkedBaseUrl(own.baseUrl);
  const isShop = settings.as?.value === 'shop';
  const account = isShop ? await webhookAccountOf('shop', own).catch(() => undefined) : undefined;
  return { origin, shop: account?.shop };
}

/** How many accepted changes are told of within a second; a backlog of thousands is counted. */
const MOST_A_SECOND = 20;

/** One line about an attempt: which target, what it answered, how long that took, and when it is tried again. */
function outcomeLine(name: string, { id, tookMs, answer, accepted, againInMs }: HandOutcome): string {
  const attempt = say().attempt.accepted({ target: name, id, answer, ms: tookMs });
  if (accepted) return attempt;
  if (againInMs === undefined) return say().attempt.dead({ attempt });
  return say().attempt.again({ attempt, inSeconds: Math.max(1, Math.ceil(againInMs / 1000)) });
}

/** The same for a program. */
const aboutOf = (target: string, { id, tookMs, answer, accepted, againInMs }: HandOutcome) => ({
  code: 'attempt',
  ...{ target, change: id, accepted, answer, took_ms: tookMs, again_in_ms: againInMs ?? null },
});

/** Says how each attempt to forward a change ended. `end` says how many were left out. */
export function handOutcomes(report: Pick<Report, 'say'>, clock: Pick<Clock, 'now'>) {
  let second = 0;
  let said = 0;
  let more = 0;
  const end = () => {
    if (more > 0) report.say(say().attempt.more({ count: more }), { code: 'more_accepted', count: more });
    more = 0;
  };
  return {
    end,
    onOutcome({ name }: { readonly name: string }, outcome: HandOutcome) {
      const now = Math.floor(clock.now() / 1000);
      if (now !== second) {
        end();
        [second, said] = [now, 0];
      }
      said += 1;
      if (outcome.accepted && said > MOST_A_SECOND) more += 1;
      else report.say(outcomeLine(name, outcome), aboutOf(name, outcome));
    },
  };
}
