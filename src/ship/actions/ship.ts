import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { call } from '../../client/call.ts';
import { Refusal } from '../../client/refusal.ts';
import { recordIn, textIn } from '../../client/settle/found-record.ts';
import type { RequestOf } from '../../contract/operation.ts';
import { DAY_MS } from '../../domain/calendar.ts';
import { ownLedger } from '../../ledger/actions/own-ledger.ts';
import { cashWords, phoneOfOrder, sentTo } from '../../ledger/equal-order.ts';
import { DraftError, LedgerRefusal } from '../../ledger/errors.ts';
import { ledgerAccount } from '../../ledger/identity.ts';
import type { Answer } from '../../ledger/intents/answers.ts';
import { type Drafts, draftsIn } from '../../ledger/intents/drafts.ts';
import { type Intent, isUnsettled } from '../../ledger/intents/intent.ts';
import { ledgerOpener } from '../../ledger/open.ts';
import type { DraftShipping, OrderDraft } from '../../ledger/order-draft.ts';
import { atOtherShop, passUnclear, previewedName, waitingText } from '../../operations/actions/create-once.ts';
import { PromptEnded } from '../../platform/terminal/prompter.ts';
import { type QuotePreference, QuoteRefused } from '../pick-quote.ts';
import { beginning, nextOrderAfter } from '../questions/conversation.ts';
import { play } from '../questions/next-step.ts';
import { lookAtMessage, PASTE } from '../questions/pasted-message.ts';
import {
  type Begun,
  type DecidedOrder,
  draftOfInput,
  isAsGiven,
  newDraft,
  recognised,
  type ShipOperations,
  type Shipped,
  shipDraft,
} from '../send-draft.ts';
import { rememberedPickups } from '../shop-lists.ts';
import { say } from '../texts.ts';
import { shopName, tellFinished } from './finish.ts';
import { lookAtOrder } from './look-at-order.ts';
import { agreement, loadShipOperations, previewTarget, requireSameTarget, targetOf } from './target.ts';
import type { Unsaid } from './whole-order.ts';
import { beforeService, runWizard, type WizardEnd } from './wizard.ts';
import { afterRefusal, insteadOfTwice, withPlaceHint } from './wizard-after-refusal.ts';

/** The input for shipping one order. */
export interface ShipPreference {
  /** The order as given, as far as it is known; absent if questions create it, or a draft contains it. */
  readonly order: OrderDraft | undefined;
  readonly quote: QuotePreference;
  /** The draft to resume; empty for the latest unsent one. */
  readonly resume: string | undefined;
  /** Whether to place another order although the same one was sent within a day. */
  readonly again: boolean;
  /** Answers that are used before anybody is asked. */
  readonly answers: readonly Answer[];
}

/** The service's response. */
export type ShipAnswer = Shipped['answer'];

/** How long to wait for another run that sends the same draft: as long as its retries may take. */
const UNATTENDED_WAITS_MS = 120_000;
const ATTENDED_WAITS_MS = 5_000;

/** The context of one run of `ship`. */
interface ShipRun {
  readonly ports: Ports;
  readonly asked: ShipPreference;
  readonly drafts: Drafts;
  readonly preference: QuotePreference;
  readonly interactive: boolean;
  readonly yes: boolean;
  /** When it started, in milliseconds since 1970. */
  readonly began: number;
  readonly replayed: readonly Answer[];
  readonly operations: () => Promise<ShipOperations>;
  /** The name of the shop that ships. */
  readonly shop: () => Promise<string | undefined>;
  /** Asks whether to send another one than a record of which nobody knows; what was agreed to is not asked again. */
  readonly passUnclear: (message: string) => Promise<boolean>;
}

/** Memoises a value, created on the first call. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The draft to resume: the one of the given id, otherwise this account's latest that is not finished. */
async function resumedDraft({ ports, asked, drafts }: ShipRun): Promise<Intent> {
  const id = asked.resume ?? '';
  const here = await targetOf(ports);
  if (id !== '') {
    const named = await drafts.named(id);
    requireSameTarget(named, here);
    return named;
  }
  const unfinished = await drafts.list('unfinished');
  const latest =
    unfinished.find((draft) => isOf(draft, here)) ?? unfinished.find(({ resource }) => resource === 'order');
  if (latest === undefined) throw new DraftError('draft_not_found', say().run.noDraft);
  requireSameTarget(latest, here);
  return latest;
}

function isOf({ target }: Intent, here: Intent['target']): boolean {
  return target.operation === here.operation && ledgerAccount(target.account) === ledgerAccount(here.account);
}

/** A new draft of an order that was cancelled, with all that was answered: what a person sends of it is another order. */
async function anew({ ports }: ShipRun, draft: Intent): Promise<Begun> {
  const { target, order, from_input, answers } = draft;
  await ports.person.tell(say().wizard.cancelled({ order: calledBy(draft) }));
  return { draft: { ...newDraft(ports.clock.now(), target, order, from_input), answers }, found: undefined };
}

async function startingDraft(run: ShipRun): Promise<Begun> {
  const { ports, asked, drafts, interactive, replayed } = run;
  const now = ports.clock.now();
  const { order, resume } = asked;
  if (resume !== undefined) {
    if (order !== undefined || replayed.length > 0) {
      throw new Refusal('draft_or_order', say().run.asItIs);
    }
    const draft = await resumedDraft(run);
    return interactive && draft.state === 'undone' ? anew(run, draft) : { draft, found: draft };
  }
  if (order !== undefined) {
    if (ports.isLook) return { draft: newDraft(now, previewTarget(ports), order, true), found: undefined };
    const target = await targetOf(ports);
    // With answers of its own it is another parcel, whatever its input has in common with one that was left.
    if (replayed.length > 0 && !order.external_id)
      return { draft: newDraft(now, target, order, true), found: undefined };
    return draftOfInput(now, drafts, target, order);
  }
  if (interactive || replayed.length > 0) {
    const target = ports.isLook ? previewTarget(ports) : await targetOf(ports);
    return { draft: newDraft(now, target, {}, false), found: undefined };
  }
  const missing = [
    'order',
    ...(run.preference.pick === undefined ? ['pick'] : []),
    ...(run.yes || ports.isLook ? [] : ['agreement']),
  ];
  throw new Refusal('order_missing', say().run.nothingAsked({ missing }), {
    facts: { missing },
  });
}

/** Completes a draft without asking anything; throws a Refusal that names all that is missing. */
async function decidedOrder(run: ShipRun, draft: Intent): Promise<DecidedOrder> {
  const [operations, { wholeOrder }] = await Promise.all([run.operations(), import('./whole-order.ts')]);
  const { ports, preference, yes } = run;
  let { order } = draft;
  let accepted = draft.accepted;
  if (draft.answers.length > 0) {
    const { locationTree } = await import('../../domain/places/place-data.ts');
    const state = play(beginning(order, !draft.from_input), draft.answers, { pickups: [], places: locationTree });
    order = state.order;
    accepted = state.chosen ?? accepted;
  }
  const pasted = run.replayed.find(({ question }) => question === PASTE);
  if (ports.isLook && pasted !== undefined) {
    // Nothing is sent, so that nobody has to agree to what was read: it is shown.
    const { locationTree } = await import('../../domain/places/place-data.ts');
    const read = lookAtMessage(order, pasted.answer, locationTree);
    for (const line of read.card) ports.report.say(line);
    order = read.order;
  }
  const { shipping_service_code: code, shipping_service_fee: fee } = order.shipping ?? {};
  if (accepted === undefined && code && typeof fee === 'number') accepted = { code, fee };
  // Naming a service now means agreeing again, to the current fee.
  if (preference.pick !== undefined) accepted = undefined;
  const unsaid: readonly Unsaid[] = [
    ...(accepted === undefined && preference.pick === undefined ? (['pick'] as const) : []),
    ...(yes ? [] : (['agreement'] as const)),
  ];
  const whole = wholeOrder(operations, order, ports.isLook ? [] : unsaid);
  await lookAtOrder(ports, operations, whole);
  return { order: whole, accepted };
}

/**
 * Dry run of the call that ships it or, if its service is not known, of the quote before it: over a connection that
 * ends the run at the first call and shows it.
 */
async function look(run: ShipRun, draft: Intent): Promise<undefined> {
  const { ports } = run;
  const [operations, { quoteOfOrder, withService }] = await Promise.all([
    run.operations(),
    import('../quote-of-order.ts'),
  ]);
  const { order, accepted } = await decidedOrder(run, draft);
  if (accepted === undefined) {
    ports.report.notice(say().run.quoteFirst({ operation: operations.create.id }));
    const request = { ...quoteOfOrder(order) } as RequestOf<ShipOperations['quote']>;
    await call(operations.quote, request, ports.connection());
    return undefined;
  }
  const { code, fee } = accepted;
  const { carrier, connection_id, shipping_service_name: name } = (order.shipping ?? {}) as Record<string, string>;
  const service = { code, fee, carrier, connection_id, name };
  const external_id = await previewedName(operations.create, recognised(draft, order), run.asked.again, ports);
  const request = { ...withService(order, service as never, external_id) };
  await call(operations.create, request as RequestOf<ShipOperations['create']>, ports.connection());
  return undefined;
}

async function send(run: ShipRun, draft: Intent, decide: Parameters<typeof shipDraft>[1], preference: QuotePreference) {
  const { ports, interactive, yes, asked } = run;
  return shipDraft(draft, decide, {
    open: () => ownLedger(ports, draft.target.account),
    operations: await run.operations(),
    connection: ports.connection(),
    by: preference.by,
    agree: agreement(preference, yes, ports.person),
    afterAnswer: (before) => afterAnswer(run, draft, before),
    passUnclear: run.passUnclear,
    again: asked.again,
    began: run.began,
    waitMs: interactive ? ATTENDED_WAITS_MS : UNATTENDED_WAITS_MS,
    onWait: () => ports.report.say(waitingText()),
  }).catch(async (error: unknown) => {
    throw await atOtherShop(error, draft.target.account, draft.order.external_id ?? '', ports);
  });
}

/** What a person calls the order of a draft: its code, else its id; empty if neither is known. */
const calledBy = (draft: Intent | undefined): string =>
  textIn(recordIn(draft?.answer)?.code) || (draft?.order_id ?? '');

/** What to do if the same order was sent and reported within a day. */
async function afterAnswer(
  { ports, drafts, asked, interactive }: ShipRun,
  { order }: Intent,
  before: LedgerRefusal,
): Promise<'another' | 'tell'> {
  if (asked.resume !== undefined || order.external_id) return 'tell';
  if (interactive) {
    const { answered_at = '', order_id = '' } = before.meta;
    const sent = (await drafts.list('all')).find((one) => one.order_id === order_id);
    const message = say().wizard.theSame({ at: answered_at, order: calledBy(sent) || order_id });
    if (await ports.person.ask({ name: 'again', message, schema: z.boolean(), initial: false })) return 'another';
  }
  throw before;
}

/** What an account has sent to a phone in the last days, the latest first. */
async function sentOf(ports: Ports, { account }: Intent['target'], phone: string, days: number) {
  const store = await ledgerOpener(ports).openIfThere();
  if (store === undefined) return [];
  const since = ports.clock.now() - days * DAY_MS;
  return store.read((sql) => sentTo(sql, account, new Set([phone]), since)).finally(() => store.close());
}

/** So many days an address is remembered. */
const REMEMBERED_DAYS = 30;

/** Whether to send an order though what may be the same parcel went to the same phone within a day. */
async function isWanted({ ports, asked }: ShipRun, { target }: Intent, wanted: OrderDraft): Promise<boolean> {
  if (asked.again || wanted.external_id) return true;
  const { sentAlike } = await import('../send-draft.ts');
  const sent = await sentOf(ports, target, phoneOfOrder(wanted), 1);
  const before = await sentAlike(wanted, sent);
  if (before === undefined) return true;
  const { at, code: order } = before;
  const message = before.isOfGoods
    ? say().wizard.sameGoods({ at, order })
    : say().wizard.sameCash({ at, order, cash: cashWords(before.request) });
  return ports.person.ask({ name: 'alike', message, schema: z.boolean(), initial: false });
}

/** How the last order of the same account was shipped; nothing if there is none. */
async function lastShipped({ drafts }: ShipRun, { target }: Intent): Promise<DraftShipping> {
  const account = ledgerAccount(target.account);
  const last = (await drafts.list('all')).find(
    (one) => one.state === 'done' && one.resource === 'order' && ledgerAccount(one.target.account) === account,
  );
  return last?.request?.shipping ?? {};
}

/** An order that a person does not send, since one like it was sent before. */
interface LeftUnsent {
  readonly left: OrderDraft;
}

/** Sends the order that the questions ended with; or says what a person does instead, where it is refused or was sent before. */
async function sendOrMend(
  run: ShipRun,
  now: Intent,
  { order, answers, state }: Extract<WizardEnd, { kind: 'send' }>,
): Promise<Shipped | LeftUnsent | 'keep' | readonly Answer[]> {
  const { ports, preference, interactive } = run;
  const mended = (changes: readonly Answer[]) => [...answers, ...changes];
  const instead = async () => {
    const changes = asksForAnother(run, now) ? await insteadOfTwice(ports, state) : undefined;
    return changes === undefined ? { left: order } : mended(changes);
  };
  if (interactive && !(await isWanted(run, now, order))) return instead();
  try {
    const { accepted } = now;
    return await send(run, now, async () => ({ order, accepted }), { ...preference, pick: undefined });
  } catch (error) {
    if (!interactive) throw error;
    const isTwice = error instanceof LedgerRefusal && error.code === 'sent_before';
    if (isTwice && asksForAnother(run, now)) return instead();
    if (error instanceof QuoteRefused && ['fee_changed', 'service_not_offered'].includes(error.code)) {
      await ports.person.tell(error.message);
      return beforeService(answers);
    }
    const changes = await afterRefusal(ports, error, state);
    if (changes === undefined) throw error;
    return changes === 'keep' ? 'keep' : mended(changes);
  }
}

/** Asks for what is missing, then sends; if the agreed service has changed, it is chosen again. */
async function shipAsking(run: ShipRun, draft: Intent): Promise<Shipped | LeftUnsent | undefined> {
  const { ports, drafts, preference, interactive } = run;
  const pickups = await rememberedPickups(ports.places.state, ports.files);
  let [now, { pick }, yes, replayed] = [draft, preference, run.yes, run.replayed];
  let resumed = run.asked.resume !== undefined;
  let isIntroduced = false;
  const introduce = async () => {
    if (!isIntroduced) await ports.person.tell(say().wizard.introduction);
    isIntroduced = true;
  };
  for (;;) {
    const end = await runWizard({
      ports,
      draft: now,
      preference: { ...preference, pick },
      yes,
      interactive,
      replayed,
      pickups,
      last: () => lastShipped(run, draft),
      sentTo: async (phone) => {
        const sent = await sentOf(ports, draft.target, phone, REMEMBERED_DAYS);
        return { phone, addresses: sent.flatMap(({ request }) => request.shipping_address ?? []) };
      },
      resumed,
      canList: ports.settings.as?.value === 'shop',
      shop: run.shop,
      operations: run.operations,
      introduce,
      keep: async (answers) => {
        now = await drafts.keep({ ...now, answers });
      },
    });
    if (end.kind === 'keep') return undefined;
    const { code, fee } = end.accepted;
    now = { ...now, answers: end.answers, accepted: { code, fee } };
    const done = await sendOrMend(run, now, end);
    if (done === 'keep') return undefined;
    if (!isMended(done)) return done;
    now = { ...now, answers: done, accepted: undefined };
    [pick, yes, replayed, resumed] = [undefined, false, [], false];
  }
}

const isMended = (done: Shipped | LeftUnsent | readonly Answer[]): done is readonly Answer[] => Array.isArray(done);

/** Says how to resume a draft that was left. */
async function tellKept({ ports }: ShipRun, { id }: Intent): Promise<void> {
  const advice = ports.ui.advise('resume_draft', { draft: id });
  await ports.progress.say(say().wizard.kept({ id, advice }), {
    code: 'draft_saved',
    draft: id,
  });
}

/**
 * Ships a draft without questions: one that may have shipped needs a decision only if it turns out not to have; any
 * other must be complete before anything is done.
 */
async function shipUnasked(run: ShipRun, { draft, found }: Begun): Promise<Shipped> {
  const early = found !== undefined && isUnderWay(found) ? undefined : await decidedOrder(run, draft);
  let decided = early;
  const decide = async () => {
    decided ??= await decidedOrder(run, draft);
    return decided;
  };
  // A draft made with questions is found by the identity that it was sent with.
  const settles = early === undefined && !isAsGiven(draft);
  try {
    return await send(run, draft, settles ? async () => undefined : decide, run.preference);
  } catch (error) {
    throw decided === undefined ? error : await withPlaceHint(error, decided.order);
  }
}

/** Whether an earlier run sent the draft, so that there may be nothing left to decide. */
function isUnderWay(draft: Intent): boolean {
  return isUnsettled(draft) || draft.state === 'done';
}

/** Whether two drafts begin with the same order: one whose file was corrected since has other answers. */
function beginsAlike(one: Intent, other: Intent): boolean {
  return JSON.stringify(one.order) === JSON.stringify(other.order);
}

const isIncomplete = (error: unknown): boolean => error instanceof Refusal && error.code === 'order_incomplete';

/** Ships one draft, with questions if somebody can be asked; undefined if it is saved instead. */
async function shipOne(
  run: ShipRun,
  { draft: fresh, found }: Begun,
): Promise<{ readonly answer: ShipAnswer } | LeftUnsent | undefined> {
  const { ports } = run;
  // A person continues with earlier answers to the same order; a script gives everything itself.
  const continues = run.interactive && found !== undefined && !isUnderWay(found) && beginsAlike(found, fresh);
  const draft = continues ? found : fresh;
  const mayTell = run.asked.resume !== undefined || Boolean(fresh.order.external_id);
  const isLeft = found !== undefined && (isUnsettled(found) || (mayTell && isUnderWay(found)));
  let shipped: Shipped | LeftUnsent | undefined;
  try {
    const asks = (run.interactive || run.replayed.length > 0) && !isLeft;
    shipped = asks
      ? await shipAsking(run, draft)
      : await shipUnasked(run, { draft, found }).catch((error: unknown) => {
          // What was left is not there, and nothing was sent: somebody can be asked for what is missing.
          if (run.interactive && isIncomplete(error)) return shipAsking(run, draft);
          throw error;
        });
  } catch (error) {
    const wentAway = error instanceof PromptEnded || ports.signal.aborted;
    const { state } = (run.interactive || wentAway ? await run.drafts.find(draft.id) : undefined) ?? {};
    if (state === 'open' || state === 'failed') await tellKept(run, draft);
    else if (state === undefined && wentAway) await ports.progress.say(say().wizard.leftAtOnce);
    throw error;
  }
  if (shipped === undefined || 'left' in shipped) {
    if (shipped !== undefined) await ports.progress.say(say().wizard.notSent);
    await tellKept(run, draft);
    return shipped;
  }
  const asked = run.interactive || run.replayed.length > 0;
  return { answer: await tellFinished(ports, await run.operations(), shipped, asked) };
}

/** Whether to ask for another order: this one was typed or pasted by a person, and is on its way, or left unsent. */
function asksForAnother({ interactive, yes, replayed }: ShipRun, draft: Intent): boolean {
  return interactive && !yes && replayed.every(({ question }) => question === PASTE) && !draft.from_input;
}

/** Ships a draft, and further orders as long as the person has more; returns the last response. */
async function shipSeveral(first: ShipRun, firstBegun: Begun): Promise<ShipAnswer | undefined> {
  const { ports } = first;
  let [run, begun] = [first, firstBegun];
  for (;;) {
    const done = await shipOne(run, begun);
    const { answer, left } = { answer: undefined, left: undefined, ...done };
    if (done === undefined || !asksForAnother(run, begun.draft)) return answer;
    if (answer !== undefined) await ports.report.result(answer);
    const another = { name: 'another', message: say().wizard.another, schema: z.boolean(), initial: true };
    const more = await ports.person.ask(another).catch((error: unknown) => {
      if (error instanceof PromptEnded) return false;
      throw error;
    });
    if (!more) return undefined;
    const sent = (await run.drafts.list('all')).find(({ id }) => id === begun.draft.id);
    const order = nextOrderAfter(left ?? sent?.request ?? begun.draft.order);
    begun = { draft: newDraft(ports.clock.now(), await targetOf(ports), order, false), found: undefined };
    // A pasted message, and a draft that was resumed, are those of the first one.
    run = { ...run, replayed: [], asked: { ...run.asked, resume: undefined } };
  }
}

/**
 * Quotes and ships an order, asking the remaining questions; undefined if a draft was saved, or everything was reported
 * already.
 */
export async function ship(asked: ShipPreference, ports: Ports): Promise<ShipAnswer | undefined> {
  const { clock, person } = ports;
  const passed = new Set<string>();
  const run: ShipRun = {
    ports,
    asked,
    drafts: draftsIn(ledgerOpener(ports), clock),
    preference: asked.quote,
    interactive: person.isThere,
    yes: person.hasAgreed,
    began: ports.began,
    replayed: asked.answers,
    operations: once(() => loadShipOperations(ports)),
    shop: once(async () => shopName(ports)),
    async passUnclear(message) {
      if (passed.has(message)) return true;
      const passes = await passUnclear(ports, message);
      if (passes) passed.add(message);
      return passes;
    },
  };
  const begun = await startingDraft(run);
  return ports.isLook ? look(run, begun.draft) : shipSeveral(run, begun);
}

const MOST_LINES = 100;

/** Takes the end of the input as the end of the message, after at least one line; before, it is what ends the run. */
const endedAfter = (lines: readonly string[]) => (error: unknown) => {
  if (error instanceof PromptEnded && error.isEndOfInput && lines.length > 0) return undefined;
  throw error;
};

/**
 * The lines that a person pastes. What a terminal marks as one paste is the whole message; elsewhere its lines come one by
 * one, an empty one may stand within it, and an Enter behind which nothing comes is the end.
 */
async function pastedLines({ person }: Ports): Promise<string> {
  const lines: string[] = [];
  await person.tell(say().paste.introduction);
  while (lines.length < MOST_LINES) {
    const message = lines.length === 0 ? say().paste.message : say().paste.more;
    const question = { name: 'paste', message, schema: z.string(), takesMessage: true, isMore: lines.length > 0 };
    const line = await person.ask(question).catch(endedAfter(lines));
    if (line === undefined || (line === '' && lines.at(-1) === '')) break;
    lines.push(line);
    if (line.includes('\n')) break;
  }
  return lines.join('\n');
}

/** A message of the buyer, as an answer that the questions take: pasted by a person, otherwise read from stdin. */
export async function pastedAnswer(ports: Ports): Promise<readonly Answer[]> {
  const text = ports.person.isThere ? await pastedLines(ports) : await ports.readStdin();
  if (text.trim() === '') throw new Refusal('message_missing', say().paste.missing);
  return [{ question: PASTE, answer: text }];
}
