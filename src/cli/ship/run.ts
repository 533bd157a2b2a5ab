import { viewOf } from '../../actions/operations/views.ts';
import { loadShipOperations, previewTarget, requireSameTarget, targetOf } from '../../actions/ship/target.ts';
import { isSameAccount } from '../../client/account.ts';
import { DraftError, type DraftStore, draftStore, isUnsettled, type ShipDraft } from '../../flows/drafts.ts';
import { sentBefore } from '../../flows/send-once.ts';
import { type Answer, answersIn } from '../../flows/ship/answers.ts';
import { type Begun, draftOfInput, newDraft } from '../../flows/ship/begin-draft.ts';
import { play } from '../../flows/ship/next-step.ts';
import type { OrderDraft } from '../../flows/ship/order-draft.ts';
import { QuoteRefused, type QuoteWish } from '../../flows/ship/pick-quote.ts';
import { rememberedPickups } from '../../flows/ship/pickups.ts';
import { type DecidedOrder, type ShipOperations, type Shipped, shipDraft } from '../../flows/ship/send-draft.ts';
import { beginning } from '../../flows/ship/state.ts';
import { PromptEnded } from '../../platform/prompter.ts';
import type { Invocation, Result } from '../command.ts';
import { beforeSending } from '../how-to-print.ts';
import { canAsk } from '../interaction.ts';
import { guard, previewOf } from '../preview.ts';
import { printResult } from '../print-result.ts';
import { quoteWish } from '../quote-options.ts';
import { parseDocumentText } from '../read-document.ts';
import { readObject, textFlag } from '../request-input.ts';
import { textSource } from '../text-source.ts';
import { UsageError } from '../usage-error.ts';
import { afterRefusal } from './after-refusal.ts';
import { agreement } from './agree.ts';
import { tell } from './ask.ts';
import { finished } from './finish.ts';
import { withPlaceHint } from './place-hint.ts';
import { beforeService, runWizard } from './wizard.ts';

/** How long a run waits for another one that sends the same draft: as long as its retries may take. */
const UNATTENDED_WAITS_MS = 120_000;
const ATTENDED_WAITS_MS = 5_000;

/** Everything that one run of `ship` works with. */
interface ShipRun {
  readonly invocation: Invocation;
  readonly store: DraftStore;
  readonly wish: QuoteWish;
  readonly interactive: boolean;
  readonly yes: boolean;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  readonly replayed: readonly Answer[];
  readonly operations: () => Promise<ShipOperations>;
  /** The shop that is shipped for, by its name. */
  readonly shop: () => Promise<string | undefined>;
}

/** The value that is made with the first call. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function replayedAnswers(invocation: Invocation): Promise<readonly Answer[]> {
  const path = textFlag(invocation, 'answers');
  if (path === undefined) return [];
  const source = textSource(invocation.context);
  const text = path === '-' ? await source.stdin() : await source.file(path);
  const answers = answersIn(await parseDocumentText(path === '-' ? 'stdin' : path, text));
  if (answers !== undefined) return answers;
  throw new UsageError(`${path} holds no answers: a list of {question, answer}`, {
    hint: '`shopctl ship drafts show ID --json` prints those of a draft',
  });
}

/** The draft to go on with: of the id given, else this account's latest that is not answered. */
async function resumedDraft(run: ShipRun): Promise<ShipDraft> {
  const { invocation, store } = run;
  const id = textFlag(invocation, 'resume');
  const here = await targetOf(invocation.session);
  if (id !== undefined) {
    const named = await store.named(id);
    requireSameTarget(named, here);
    return named;
  }
  const damaged = await store.damaged();
  if (damaged.length > 0)
    await tell(invocation, `cannot be read, so somebody has to look: draft ${damaged.join(', ')}`);
  const drafts = await store.list('unsent');
  const latest = drafts.find((draft) => isOf(draft, here)) ?? drafts[0];
  if (latest === undefined) throw new DraftError('draft_not_found', 'there is no draft to go on with');
  requireSameTarget(latest, here);
  return latest;
}

function isOf({ target }: ShipDraft, here: ShipDraft['target']): boolean {
  return target.operation === here.operation && isSameAccount(target.account, here.account);
}

async function startingDraft(run: ShipRun): Promise<Begun> {
  const { invocation, store, interactive, replayed } = run;
  const { context, session, given } = invocation;
  const input = textFlag(invocation, 'input');
  if (given.flags.resume !== undefined) {
    if (input !== undefined || replayed.length > 0) {
      throw new UsageError('--resume goes on with a draft: leave out --input and --answers');
    }
    const draft = await resumedDraft(run);
    return { draft, found: draft };
  }
  if (input !== undefined) {
    const order = (await readObject(input, textSource(context))) as OrderDraft;
    if (previewing(run)) return { draft: newDraft(context, previewTarget(session), order, true), found: undefined };
    return draftOfInput(context, store, await targetOf(session), order);
  }
  if (interactive || replayed.length > 0) {
    const target = previewing(run) ? previewTarget(session) : await targetOf(session);
    return { draft: newDraft(context, target, {}, false), found: undefined };
  }
  const missing = [
    '--input FILE',
    ...(run.wish.pick === undefined ? ['--pick WHICH (or a service in the order)'] : []),
    ...(run.yes || previewing(run) ? [] : ['--yes']),
  ];
  throw new UsageError(`nobody can be asked here: ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing`, {
    hint: '`shopctl shipping create --skeleton` prints an order to fill in',
  });
}

/** A draft as it stands, without asking anything; throws a UsageError that names all that is missing. */
async function decidedOrder(run: ShipRun, draft: ShipDraft): Promise<DecidedOrder> {
  const [operations, { wholeOrder }] = await Promise.all([run.operations(), import('./request.ts')]);
  const { wish, yes } = run;
  let { order } = draft;
  let accepted = draft.accepted;
  if (draft.answers.length > 0) {
    const { locationTree } = await import('../../domain/place-data.ts');
    const state = play(beginning(order, !draft.from_input), draft.answers, { pickups: [], places: locationTree });
    order = state.order;
    accepted = state.chosen ?? accepted;
  }
  const { shipping_service_code: code, shipping_service_fee: fee } = order.shipping ?? {};
  if (accepted === undefined && code && typeof fee === 'number') accepted = { code, fee };
  // Who names a service now agrees anew, to the fee of this moment.
  if (wish.pick !== undefined) accepted = undefined;
  const hints = [
    ...(accepted === undefined && wish.pick === undefined ? ['--pick is missing'] : []),
    ...(yes ? [] : ['--yes is missing: it costs money, and nobody can be asked']),
  ];
  return { order: wholeOrder(operations, order, previewing(run) ? [] : hints), accepted };
}

function previewing({ invocation }: ShipRun): boolean {
  const { globals } = invocation.session;
  return globals['dry-run'] === true || globals.curl === true;
}

/** What `--dry-run` and `--curl` show: the call that ships it, or where its service is not known, the quote before it. */
async function preview(run: ShipRun, draft: ShipDraft): Promise<Result | undefined> {
  const [operations, { quoteRequestOf, withService }] = await Promise.all([
    run.operations(),
    import('../../flows/ship/order-draft.ts'),
  ]);
  const { order, accepted } = await decidedOrder(run, draft);
  if (accepted === undefined) {
    const shown = await previewOf(run.invocation, operations.quote, { ...quoteRequestOf(order) });
    const notice = `the quote comes first; then ${operations.create.id} is called with its service`;
    return shown && { ...shown, notices: [...((shown.notices ?? []) as readonly string[]), notice] };
  }
  const { code, fee } = accepted;
  const { carrier, connection_id, shipping_service_name: name } = (order.shipping ?? {}) as Record<string, string>;
  const service = { code, fee, carrier, connection_id, name };
  const request = withService(order, service as never, draft.external_id);
  return previewOf(run.invocation, operations.create, { ...request });
}

async function send(run: ShipRun, draft: ShipDraft, decide: Parameters<typeof shipDraft>[1], wish: QuoteWish) {
  const { invocation, store, interactive, yes } = run;
  const { context, session } = invocation;
  return shipDraft(draft, decide, {
    store,
    operations: await run.operations(),
    connection: session.connection(),
    by: wish.by,
    agree: agreement(wish, yes, interactive ? context.prompter : undefined),
    named: Boolean(draft.order.external_id),
    afterAnswer: (answered) => afterAnswer(run, draft, answered),
    began: run.began,
    equalIsOurs: true,
    lockTimeoutMs: interactive ? ATTENDED_WAITS_MS : UNATTENDED_WAITS_MS,
  });
}

/** What is to become of the same order that was sent and told within a day. */
async function afterAnswer(
  { invocation, interactive }: ShipRun,
  { order }: ShipDraft,
  answered: ShipDraft,
): Promise<'another' | 'tell'> {
  const { context, given } = invocation;
  if (given.flags.resume !== undefined || order.external_id) return 'tell';
  if (given.flags.again === true) return 'another';
  if (interactive) {
    const message = `The same order was sent at ${answered.answered_at}, as order ${answered.order_id}. Send another one like it?`;
    if (await context.prompter.confirm({ message, initial: false })) return 'another';
  }
  throw sentBefore(answered);
}

/** Asks what is missing, then sends; a service that is no longer what was agreed to is chosen again. */
async function shipAsking(run: ShipRun, draft: ShipDraft): Promise<Shipped | undefined> {
  const { invocation, store, wish, interactive } = run;
  const { context, session } = invocation;
  const pickups = await rememberedPickups(session.places.state, context.files);
  let [now, { pick }, yes, replayed] = [draft, wish, run.yes, run.replayed];
  let resumed = invocation.given.flags.resume !== undefined;
  if (interactive) await tell(invocation, 'Ctrl-C keeps what was answered as a draft; < goes one question back.');
  for (;;) {
    const end = await runWizard({
      invocation,
      draft: now,
      wish: { ...wish, pick },
      yes,
      interactive,
      replayed,
      pickups,
      resumed,
      canList: session.settings.as?.value === 'shop',
      shop: run.shop,
      operations: run.operations,
      keep: async (answers) => {
        now = await store.keep({ ...now, answers });
      },
    });
    if (end.kind === 'keep') return undefined;
    const { code, fee } = end.accepted;
    now = { ...now, answers: end.answers, accepted: { code, fee } };
    try {
      const { order, accepted } = { order: end.order, accepted: now.accepted };
      return await send(run, now, async () => ({ order, accepted }), { ...wish, pick: undefined });
    } catch (error) {
      if (!interactive) throw error;
      const isOutdated = error instanceof QuoteRefused && ['fee_changed', 'service_not_offered'].includes(error.code);
      if (isOutdated) await tell(invocation, error.message);
      const changes = isOutdated ? [] : await afterRefusal(invocation, error, end.state);
      if (changes === undefined) throw error;
      if (changes === 'keep') return undefined;
      const answers = isOutdated ? beforeService(end.answers) : [...end.answers, ...changes];
      now = { ...now, answers, accepted: undefined };
      [pick, yes, replayed, resumed] = [undefined, false, [], false];
    }
  }
}

/** Tells how to go on with a draft that was left. */
async function tellKept({ invocation }: ShipRun, { id }: ShipDraft): Promise<void> {
  const { stderr } = invocation.context;
  await stderr.write(`kept as draft ${id}: go on with \`shopctl ship --resume ${id}\`\n`);
}

/**
 * Ships a draft without a question: one that may have shipped needs no decision, and gets one only if it turns out not to
 * have; any other has to say everything before anything is done.
 */
async function shipUnasked(run: ShipRun, { draft, found }: Begun): Promise<Shipped> {
  const early = found !== undefined && isUnderWay(found) ? undefined : await decidedOrder(run, draft);
  let decided = early;
  const decide = async () => {
    decided ??= await decidedOrder(run, draft);
    return decided;
  };
  // What was put together by questions is found under the identity that it was sent with.
  const settles = early === undefined && !draft.from_input;
  try {
    return await send(run, draft, settles ? async () => undefined : decide, run.wish);
  } catch (error) {
    throw decided === undefined ? error : await withPlaceHint(error, decided.order);
  }
}

/** Whether a draft was sent by an earlier run, so that there may be nothing left to decide. */
function isUnderWay(draft: ShipDraft): boolean {
  return isUnsettled(draft) || draft.state === 'answered';
}

/** Ships one draft, with questions where somebody can be asked. */
async function shipOne(run: ShipRun, { draft: fresh, found }: Begun): Promise<Result> {
  const { context, given } = run.invocation;
  // A person goes on with what was answered before; a script says everything itself.
  const draft = run.interactive && found !== undefined && !isUnderWay(found) ? found : fresh;
  const mayTell = given.flags.resume !== undefined || Boolean(fresh.order.external_id);
  const isLeft = found !== undefined && (isUnsettled(found) || (mayTell && isUnderWay(found)));
  let shipped: Shipped | undefined;
  try {
    const asks = (run.interactive || run.replayed.length > 0) && !isLeft;
    shipped = asks ? await shipAsking(run, draft) : await shipUnasked(run, { draft, found });
  } catch (error) {
    const left = run.interactive || error instanceof PromptEnded || context.signal.aborted;
    const { state } = (left ? await run.store.find(draft.id) : undefined) ?? {};
    if (state === 'open' || state === 'failed') await tellKept(run, draft);
    throw error;
  }
  if (shipped === undefined) {
    await tellKept(run, draft);
    return { document: { kind: 'none' } };
  }
  // Now and then, for a script never lists its drafts; what becomes of it is no matter of the shipment.
  if (context.random() < 0.01) await run.store.prune().catch(() => {});
  const asked = run.interactive || run.replayed.length > 0;
  return finished(run.invocation, run.store, await run.operations(), shipped, asked);
}

/** Whether another order is asked for after this one: somebody typed this one, and it is on its way. */
function asksForAnother({ interactive, yes, replayed }: ShipRun, draft: ShipDraft, { applied }: Result): boolean {
  return interactive && !yes && replayed.length === 0 && !draft.from_input && applied === true;
}

/** Ships a draft, and one order after the other as long as somebody has another. */
async function shipSeveral(run: ShipRun, first: Begun): Promise<Result> {
  const { context, session } = run.invocation;
  let begun = first;
  let partial = false;
  for (;;) {
    const result = await shipOne(run, begun);
    partial ||= result.exit === 'partial';
    if (!asksForAnother(run, begun.draft, result)) return partial ? { ...result, exit: 'partial' } : result;
    await printResult(context, session, result);
    const none: Result = { document: { kind: 'none' }, applied: true, ...(partial ? { exit: 'partial' } : {}) };
    const more = await context.prompter
      .confirm({ message: 'Ship another?', initial: false })
      .catch((error: unknown) => {
        if (error instanceof PromptEnded) return false;
        throw error;
      });
    if (!more) return none;
    begun = { draft: newDraft(context, await targetOf(session), {}, false), found: undefined };
  }
}

/** `shopctl ship`. */
export async function ship(invocation: Invocation): Promise<Result> {
  const { context, session } = invocation;
  const wish = quoteWish(invocation);
  const run: ShipRun = {
    invocation,
    store: draftStore(session.places.state, context.files, context.clock),
    wish,
    interactive: canAsk(context, session),
    yes: session.globals.yes === true,
    began: context.began ?? context.clock.now() + 1,
    replayed: await replayedAnswers(invocation),
    operations: once(() => loadShipOperations(session)),
    shop: once(async () => (await import('./shop-name.ts')).shopName(session)),
  };
  if (session.globals.fields !== undefined || session.globals.query !== undefined) {
    const listed = await beforeSending(context, session, viewOf((await run.operations()).create));
    if (listed !== undefined) return listed;
  }
  if (session.settings.readOnly.value) {
    const { id, effect, credential } = (await run.operations()).create;
    guard(invocation, { id, effect, credential, body: '{}' });
  }
  const begun = await startingDraft(run);
  if (previewing(run)) return (await preview(run, begun.draft)) ?? { document: { kind: 'none' } };
  return shipSeveral(run, begun);
}
