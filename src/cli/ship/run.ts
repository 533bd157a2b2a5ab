import { viewOf } from '../../actions/operations/views.ts';
import { OutcomeUnknownError } from '../../client/errors.ts';
import { DraftError, type DraftStore, draftStore, type ShipDraft } from '../../flows/drafts.ts';
import { type Answer, answersIn } from '../../flows/ship/answers.ts';
import { play } from '../../flows/ship/next-step.ts';
import type { OrderDraft } from '../../flows/ship/order-draft.ts';
import { QuoteRefused, type QuoteWish } from '../../flows/ship/pick-quote.ts';
import { rememberedPickups } from '../../flows/ship/pickups.ts';
import { type ShipOperations, type Shipped, shipDraft } from '../../flows/ship/send-draft.ts';
import { beginning } from '../../flows/ship/state.ts';
import { PromptEnded } from '../../platform/prompter.ts';
import type { Invocation, Result } from '../command.ts';
import { canAsk } from '../interaction.ts';
import { guard, previewOf } from '../preview.ts';
import { printResult } from '../print-result.ts';
import { beforeSending } from '../printing.ts';
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
import { draftOfInput, newDraft } from './start.ts';
import { loadShipOperations, requireKey, requireSameTarget, targetOf } from './target.ts';
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

/** The draft to go on with: of the id given, else the latest that is not sent. */
async function resumedDraft({ invocation, store }: ShipRun): Promise<ShipDraft> {
  const id = textFlag(invocation, 'resume');
  const [latest] = id === undefined ? await store.list('unsent') : [await store.named(id)];
  if (latest === undefined) throw new DraftError('draft_not_found', 'there is no draft to go on with');
  requireSameTarget(latest, invocation.session);
  return latest;
}

async function startingDraft(run: ShipRun): Promise<ShipDraft> {
  const { invocation, store, interactive, replayed } = run;
  const { context, session, given } = invocation;
  const input = textFlag(invocation, 'input');
  if (given.flags.resume !== undefined) {
    if (input !== undefined || replayed.length > 0) {
      throw new UsageError('--resume goes on with a draft: leave out --input and --answers');
    }
    return resumedDraft(run);
  }
  if (input !== undefined) {
    const order = (await readObject(input, textSource(context))) as OrderDraft;
    return draftOfInput(context, store, targetOf(session), order);
  }
  if (interactive || replayed.length > 0) return newDraft(context, targetOf(session), {}, false);
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
async function decidedOrder(run: ShipRun, draft: ShipDraft) {
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

/** The same failure, with what to do about a draft that may have shipped. */
function withResume(error: unknown, { id }: ShipDraft): unknown {
  if (!(error instanceof OutcomeUnknownError)) return error;
  const { operation = '', message, cause, meta } = error;
  const hint = `\`shopctl ship --resume ${id}\` finds out what became of it, and never ships it twice`;
  return new OutcomeUnknownError(operation, message, { hint, cause, meta });
}

async function send(run: ShipRun, draft: ShipDraft, order: Parameters<typeof shipDraft>[1], wish: QuoteWish) {
  const { invocation, store, interactive, yes } = run;
  const { context, session } = invocation;
  return shipDraft(draft, order, {
    store,
    operations: await run.operations(),
    connection: session.connection(),
    by: wish.by,
    agree: agreement(wish, yes, interactive ? context.prompter : undefined),
    lockTimeoutMs: interactive ? ATTENDED_WAITS_MS : UNATTENDED_WAITS_MS,
  }).catch((error: unknown) => {
    throw withResume(error, draft);
  });
}

/** Asks what is missing, then sends; a service that is no longer what was agreed to is chosen again. */
async function shipAsking(run: ShipRun, draft: ShipDraft): Promise<Shipped | undefined> {
  const { invocation, store, wish, interactive } = run;
  const { context, session } = invocation;
  const pickups = await rememberedPickups(session.places.state, context.files);
  let [now, { pick }, yes, replayed] = [draft, wish, run.yes, run.replayed];
  let resumed = invocation.given.flags.resume !== undefined;
  requireKey(session);
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
      return await send(run, now, end.order, { ...wish, pick: undefined });
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

/** Ships a draft without a question: one that may have shipped needs no decision, any other has to say everything. */
async function shipUnasked(run: ShipRun, draft: ShipDraft): Promise<Shipped> {
  if (isUnderWay(draft)) return send(run, draft, undefined, run.wish);
  const { order, accepted } = await decidedOrder(run, draft);
  try {
    return await send(run, { ...draft, accepted }, order, run.wish);
  } catch (error) {
    throw await withPlaceHint(error, order);
  }
}

function isUnderWay({ state }: ShipDraft): boolean {
  return state === 'sent' || state === 'sending';
}

/** Ships one draft, with questions where somebody can be asked. */
async function shipOne(run: ShipRun, draft: ShipDraft): Promise<Result> {
  const { context } = run.invocation;
  let shipped: Shipped | undefined;
  try {
    const asks = (run.interactive || run.replayed.length > 0) && !isUnderWay(draft);
    shipped = asks ? await shipAsking(run, draft) : await shipUnasked(run, draft);
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
async function shipSeveral(run: ShipRun, first: ShipDraft): Promise<Result> {
  const { context, session } = run.invocation;
  let draft = first;
  let partial = false;
  for (;;) {
    const result = await shipOne(run, draft);
    partial ||= result.exit === 'partial';
    if (!asksForAnother(run, draft, result)) return partial ? { ...result, exit: 'partial' } : result;
    await printResult(context, session, result);
    const none: Result = { document: { kind: 'none' }, applied: true, ...(partial ? { exit: 'partial' } : {}) };
    const more = await context.prompter
      .confirm({ message: 'Ship another?', initial: false })
      .catch((error: unknown) => {
        if (error instanceof PromptEnded) return false;
        throw error;
      });
    if (!more) return none;
    draft = newDraft(context, targetOf(session), {}, false);
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
  const draft = await startingDraft(run);
  if (previewing(run)) return (await preview(run, draft)) ?? { document: { kind: 'none' } };
  return shipSeveral(run, draft);
}
