import type { ShipDraft } from '../../flows/drafts.ts';
import type { Answer } from '../../flows/ship/answers.ts';
import { AnswerRefused, nextStep, play, takeAnswer } from '../../flows/ship/next-step.ts';
import type { CompleteOrder } from '../../flows/ship/order-draft.ts';
import { pickQuote, type QuoteWish } from '../../flows/ship/pick-quote.ts';
import { offersFor, type ShipOperations } from '../../flows/ship/send-draft.ts';
import { beginning, type Chosen, type Facts, type Question, type ShipState } from '../../flows/ship/state.ts';
import type { Invocation } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { askPerson, BACK, tell } from './ask.ts';

/** What the wizard is run with. */
export interface WizardRun {
  readonly invocation: Invocation;
  readonly draft: ShipDraft;
  readonly wish: QuoteWish;
  /** Whether the review is answered without a person. */
  readonly yes: boolean;
  /** Whether a person may be asked. */
  readonly interactive: boolean;
  /** Answers of a file, taken before anybody is asked. */
  readonly replayed: readonly Answer[];
  readonly pickups: Facts['pickups'];
  /** Loaded with the first answer: the first question must not wait for it. */
  readonly operations: () => Promise<ShipOperations>;
  /** Keeps the answers so far on the disk. */
  readonly keep: (answers: readonly Answer[]) => Promise<void>;
}

/** How the wizard ends: with an order to send, or a draft that somebody wants to keep. */
export type WizardEnd =
  | {
      readonly kind: 'send';
      readonly answers: readonly Answer[];
      readonly order: CompleteOrder;
      readonly accepted: Chosen;
    }
  | { readonly kind: 'keep' };

/** The answers as they were before a service was agreed to, so that it is chosen anew. */
export function beforeService(answers: readonly Answer[]): Answer[] {
  const chosen = answers.findLastIndex(({ question }) => question === 'service');
  if (chosen >= 0) return answers.slice(0, chosen);
  const review = answers.findLastIndex(({ question }) => question === 'review');
  return [...answers.slice(0, Math.max(0, review)), { question: 'review', answer: 'change service' }];
}

/** What answers without a person: the file, `--pick`, `--yes`. Undefined where somebody has to be asked. */
function givenAnswer(
  run: WizardRun,
  question: Question,
  replay: Answer[],
  offers: Facts['offers'],
): string | undefined {
  const [next] = replay;
  if (next !== undefined) {
    if (next.question !== question.id) {
      if (question.skippedAs !== undefined) return question.skippedAs;
      throw new AnswerRefused(next, `the answers go on with ${next.question} where ${question.id} is asked`);
    }
    replay.shift();
    return next.answer;
  }
  if (question.id === 'service' && run.wish.pick !== undefined) {
    const { code, fee } = pickQuote(offers?.services ?? [], run.wish);
    return `${code} ${fee ?? 0}`;
  }
  return question.id === 'review' && run.yes ? 'send' : undefined;
}

/** A service as it can be played again without its offers: what was cheapest then may not be so any more. */
function asChosen({ code, fee }: Chosen): Answer {
  return { question: 'service', answer: `${code} ${fee}` };
}

/** Whatever the contract has against the answer, as soon as the contract is loaded. */
async function checkerOf(run: WizardRun, isLoaded: boolean) {
  if (!isLoaded) return undefined;
  const [operations, { fieldError }] = await Promise.all([run.operations(), import('./request.ts')]);
  return (order: ShipState['order'], path: string) => fieldError(operations, order, path);
}

async function quoted(run: WizardRun, state: ShipState, quoteKey: string, quietly: boolean): Promise<Facts['offers']> {
  const [operations, { wholeOrder }] = await Promise.all([run.operations(), import('./request.ts')]);
  const connection = run.invocation.session.connection();
  const order = wholeOrder(operations, state.order);
  const services = await offersFor(order, { operations, connection, by: run.wish.by });
  // Where nothing is offered there is nothing to choose: this says so.
  if (services.length === 0) pickQuote(services, run.wish);
  if (!quietly) await (await import('./offers-table.ts')).showOffers(run.invocation, services);
  return { quoteKey, services };
}

/**
 * Goes from question to question until there is an order to send. The state is played anew from all answers each time, so
 * that going back is to forget the last one. Throws AnswerRefused for an answer of a file that does not fit, QuoteRefused
 * where no offer is what `--pick`, `--max-fee` and `--by` allow, and PromptEnded where the person went away.
 */
export async function runWizard(run: WizardRun): Promise<WizardEnd> {
  const { draft, invocation, interactive } = run;
  const start = beginning(draft.order, !draft.from_input);
  const replay = [...run.replayed];
  let answers: Answer[] = [...draft.answers];
  // What was taken back is proposed where it is asked again.
  const takenBack = new Map<string, string>();
  let facts: Facts = { pickups: run.pickups };
  let isLoaded = false;
  const loadPlaces = async () => {
    facts = { ...facts, places: (await import('../../domain/place-data.ts')).locationTree };
  };
  // Answers are played against the place names, and the places of a given order are looked up in them.
  if (answers.length > 0 || replay.length > 0 || draft.from_input) await loadPlaces();
  for (;;) {
    const state = play(start, answers, facts);
    const next = nextStep(state, facts);
    if (next.kind === 'keep') return { kind: 'keep' };
    if (next.kind === 'send') return { kind: 'send', answers, order: next.order, accepted: next.chosen };
    if (next.kind === 'places') {
      await loadPlaces();
      continue;
    }
    if (next.kind === 'quote') {
      const quietly = !interactive || replay.length > 0 || run.wish.pick !== undefined;
      facts = { ...facts, offers: await quoted(run, state, next.quoteKey, quietly) };
      continue;
    }
    const { path, id } = next.question;
    const question = { ...next.question, initial: takenBack.get(id) ?? next.question.initial };
    const given = givenAnswer(run, question, replay, facts.offers);
    if (given === undefined && !interactive) {
      throw new UsageError(`nobody answers ${question.id}: ${question.message}`, {
        hint: 'where nobody can be asked, the answers, --pick and --yes have to say everything',
      });
    }
    const early = await checkerOf(run, isLoaded);
    const check = (answer: string): true | string => {
      const verdict = question.check(answer);
      if (verdict !== true || path === undefined) return verdict;
      return early?.(question.take(answer).order, path) ?? true;
    };
    const answer = given ?? (await askPerson(invocation, question, state, check));
    if (given === undefined && answer === BACK) {
      if (answers.length === 0) await tell(invocation, 'this is the first question');
      const last = answers.at(-1);
      if (last !== undefined) takenBack.set(last.question, last.answer);
      answers = answers.slice(0, -1);
    } else {
      const taken: Answer = { question: question.id, answer };
      const { order, chosen } = takeAnswer(state, taken, facts);
      isLoaded = true;
      const fault = path === undefined ? undefined : (await checkerOf(run, isLoaded))?.(order, path);
      if (fault !== undefined && given !== undefined) throw new AnswerRefused(taken, `${question.id}: ${fault}`);
      if (fault !== undefined) {
        await tell(invocation, fault);
        continue;
      }
      answers = [...answers, id === 'service' && chosen ? asChosen(chosen) : taken];
    }
    await run.keep(answers);
  }
}
