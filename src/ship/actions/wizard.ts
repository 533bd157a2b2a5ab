import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import type { View } from '../../contract/view.ts';
import { nationalDigits } from '../../domain/likeness.ts';
import type { Answer } from '../../ledger/intents/answers.ts';
import type { Intent } from '../../ledger/intents/intent.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import { pickQuote, type QuotePreference } from '../pick-quote.ts';
import {
  beginning,
  type Chosen,
  changeText,
  type Facts,
  type Lookup,
  type Question,
  type ShipState,
} from '../questions/conversation.ts';
import { inWordsOfQuestions } from '../questions/field-words.ts';
import {
  AnswerRefused,
  answeredSteps,
  CHANGE,
  isTakenAnywhere,
  nextStep,
  play,
  takeAnswer,
} from '../questions/next-step.ts';
import { serviceAnswer, serviceName } from '../questions/service-step.ts';
import type { ComparedService } from '../quotes.ts';
import { offersFor, type ShipOperations } from '../send-draft.ts';
import type { ShopLists } from '../shop-lists.ts';
import { say } from '../texts.ts';
import { lookAtOrder } from './look-at-order.ts';
import { afterRefusal } from './wizard-after-refusal.ts';
import { askPerson, BACK, tellReview } from './wizard-ask.ts';

/** The questions that are answered by where a buyer's parcels went before. */
const placesOfRecipient: ReadonlySet<string> = new Set(['recipient.place', 'recipient.ward']);

const GO_ON = '';
const KEEP = 'keep';

/** The answers without the final ones of the review, so that a saved or refused draft is reviewed again. */
function withoutLastWords(answers: readonly Answer[]): Answer[] {
  const isLastWord = ({ question, answer }: Answer) =>
    question === 'review' && (answer === 'send' || answer === 'keep');
  return answers.filter((answer, index) => index !== answers.length - 1 || !isLastWord(answer));
}

/**
 * Asks a person who resumes a draft whether to continue or to change an answer: returns the answers to continue with,
 * or `keep` to leave it. Not asked if nothing is answered yet, or if the review offers the same.
 */
async function comingBack(ports: Ports, state: ShipState, facts: Facts): Promise<readonly Answer[] | 'keep'> {
  const steps = answeredSteps(state);
  const next = nextStep(state, facts);
  if (steps.length === 0 || (next.kind === 'question' && next.question.id === 'review')) return [];
  await tellReview(ports, state, {});
  const choice = await ports.person.ask({
    name: 'go_on',
    schema: z.string(),
    message: say().wizard.goOnOrChange,
    choices: [
      {
        name: next.kind === 'question' ? say().menu.goOnWith({ question: next.question.message }) : say().menu.goOn,
        value: GO_ON,
      },
      ...steps.map((step) => ({ name: changeText(step), value: step })),
      { name: say().menu.leave, value: KEEP },
    ],
    initial: GO_ON,
  });
  if (choice === KEEP) return KEEP;
  return choice === GO_ON ? [] : [{ question: CHANGE, answer: choice }];
}

/** Options of the wizard. */
export interface WizardRun {
  readonly ports: Ports;
  readonly draft: Intent;
  readonly preference: QuotePreference;
  /** Whether the review is confirmed without a person. */
  readonly yes: boolean;
  /** Whether a person may be asked. */
  readonly interactive: boolean;
  /** Answers from a file, used before anybody is asked. */
  readonly replayed: readonly Answer[];
  readonly pickups: Facts['pickups'];
  /** How the last order of the account was shipped; asked for once a question proposes it. */
  readonly last: () => Promise<Facts['last']>;
  /** Where the parcels of the last days went that went to a phone. */
  readonly sentTo: (phone: string) => Promise<NonNullable<Facts['sentTo']>>;
  /** Whether the person resumes a draft, and is first asked whether to change something. */
  readonly resumed: boolean;
  /** Whether the key in force can list the shop's records. */
  readonly canList: boolean;
  /** The name of the shop that ships; requested once the review needs it. */
  readonly shop: () => Promise<string | undefined>;
  /** Loaded on the first answer: the first question must not wait for it. */
  readonly operations: () => Promise<ShipOperations>;
  /** Says, before the first question, what a person can do besides answering. */
  readonly introduce: () => Promise<void>;
  /** Saves the answers so far to disk. */
  readonly keep: (answers: readonly Answer[]) => Promise<void>;
}

/** How the wizard ends: with an order to send, or a draft to save. */
export type WizardEnd =
  | {
      readonly kind: 'send';
      readonly answers: readonly Answer[];
      readonly order: CompleteOrder;
      readonly accepted: Chosen;
      readonly state: ShipState;
    }
  | { readonly kind: 'keep' };

/** The answers before a service was agreed to, so that it is chosen again. */
export function beforeService(answers: readonly Answer[]): Answer[] {
  const chosen = answers.findLastIndex(({ question }) => question === 'service');
  if (chosen >= 0) return answers.slice(0, chosen);
  const review = answers.findLastIndex(({ question }) => question === 'review');
  return [...answers.slice(0, Math.max(0, review)), { question: 'review', answer: 'change service' }];
}

/**
 * An answer that needs no person: a given answer, a picked service, an agreement beforehand. Undefined if somebody has
 * to be asked.
 */
function givenAnswer(
  run: WizardRun,
  { id, skippedAs }: Question,
  replay: Answer[],
  offers: Facts['offers'],
): Answer | undefined {
  const [next] = replay;
  if (next !== undefined) {
    if (next.question !== id && !isTakenAnywhere(next.question)) {
      if (skippedAs !== undefined) return { question: id, answer: skippedAs };
      throw new AnswerRefused(next, say().answer.outOfOrder({ question: next.question, asked: id }));
    }
    replay.shift();
    return next;
  }
  if (id === 'service' && run.preference.pick !== undefined) {
    const { code, fee, ...offer } = pickQuote(offers?.services ?? [], run.preference);
    const name = serviceName({ code, fee, ...offer });
    return { question: id, answer: serviceAnswer({ code: code ?? '', fee: fee ?? 0, quoteKey: '', name }) };
  }
  return id === 'review' && run.yes ? { question: id, answer: 'send' } : undefined;
}

/**
 * The choice of a service in a form that can be replayed without its offers: what was cheapest then may not be any
 * more.
 */
function asChosen(chosen: Chosen): Answer {
  return { question: 'service', answer: serviceAnswer(chosen) };
}

/** The shop's records, including what was just looked up. */
async function lookedUp(
  { ports }: WizardRun,
  lookup: Exclude<Lookup, { kind: 'places' }>,
  lists: ShopLists,
): Promise<ShopLists> {
  const { listAddresses, listCustomers, listProducts } = await import('../look-up-lists.ts');
  const connection = ports.connection();
  const came = (records: number) => ports.progress.came(records);
  if (lookup.kind === 'customers') return { ...lists, customers: await listCustomers(connection, came) };
  if (lookup.kind === 'products') return { ...lists, products: await listProducts(connection, came) };
  const addresses = await listAddresses(lookup.customerId, connection);
  return { ...lists, addresses: { ...lists.addresses, [lookup.customerId]: addresses } };
}

/** Checks an answer against the contract, as soon as the contract is loaded. */
async function checkerOf(run: WizardRun, isLoaded: boolean) {
  if (!isLoaded) return undefined;
  const [operations, { fieldError }] = await Promise.all([run.operations(), import('./whole-order.ts')]);
  return (order: ShipState['order'], path: string) => {
    const fault = fieldError(operations, order, path);
    return fault === undefined ? undefined : inWordsOfQuestions(fault);
  };
}

async function quoted(run: WizardRun, state: ShipState, quoteKey: string, quietly: boolean): Promise<Facts['offers']> {
  const [operations, { wholeOrder }] = await Promise.all([run.operations(), import('./whole-order.ts')]);
  const connection = run.ports.connection();
  const order = wholeOrder(operations, state.order);
  await lookAtOrder(run.ports, operations, order, state.fromNothing ? inWordsOfQuestions : undefined);
  const services = await offersFor(order, { operations, connection, by: run.preference.by });
  // Without offers there is nothing to choose, and this reports it.
  if (services.length === 0) pickQuote(services, run.preference);
  if (!quietly) await showOffers(run.ports, services);
  return { quoteKey, services };
}

/**
 * Asks question after question until there is an order to send. The state is recomputed from all answers each time, so
 * that going back means dropping the last one. Throws AnswerRefused for an answer in a file that does not fit,
 * QuoteRefused if no offer matches the request, and PromptEnded if the person left.
 */
export async function runWizard(run: WizardRun): Promise<WizardEnd> {
  const { draft, ports, interactive } = run;
  const start = beginning(draft.order, !draft.from_input);
  const replay = [...run.replayed];
  let answers: Answer[] = withoutLastWords(draft.answers);
  // A withdrawn answer is the default when its question is asked again.
  const takenBack = new Map<string, string>();
  let facts: Facts = { pickups: run.pickups, ...(run.canList && interactive ? { lists: {} } : {}) };
  let isLoaded = false;
  let comesBack = run.resumed && interactive && replay.length === 0;
  const loadPlaces = async () => {
    facts = { ...facts, places: (await import('../../domain/places/place-data.ts')).locationTree };
  };
  // Replaying answers, and the places in a given order, need the place names.
  if (answers.length > 0 || replay.length > 0 || draft.from_input) await loadPlaces();
  for (;;) {
    const state = play(start, answers, facts);
    if (comesBack) {
      comesBack = false;
      await run.introduce();
      const changes = await comingBack(ports, state, facts);
      if (changes === 'keep') return { kind: 'keep' };
      answers = [...answers, ...changes];
      continue;
    }
    const next = nextStep(state, facts);
    if (next.kind === 'keep') return { kind: 'keep' };
    if (next.kind === 'send') return { kind: 'send', answers, order: next.order, accepted: next.chosen, state };
    if (next.kind === 'places') {
      await loadPlaces();
      continue;
    }
    if (next.kind === 'customers' || next.kind === 'products' || next.kind === 'addresses') {
      facts = { ...facts, lists: await lookedUp(run, next, facts.lists ?? {}) };
      continue;
    }
    if (next.kind === 'quote') {
      const quietly = !interactive || replay.length > 0 || run.preference.pick !== undefined;
      try {
        facts = { ...facts, offers: await quoted(run, state, next.quoteKey, quietly) };
      } catch (error) {
        const changes = interactive ? await afterRefusal(ports, error, state) : undefined;
        if (changes === undefined) throw error;
        if (changes === 'keep') return { kind: 'keep' };
        answers = [...answers, ...changes];
        await run.keep(answers);
      }
      continue;
    }
    const { path, id } = next.question;
    if (interactive && facts.last === undefined && (id === 'insurance' || id === 'try_on')) {
      facts = { ...facts, last: await run.last() };
      continue;
    }
    const phone = nationalDigits(state.order.shipping_address?.phone ?? '');
    if (interactive && phone !== '' && facts.sentTo?.phone !== phone && placesOfRecipient.has(id)) {
      facts = { ...facts, sentTo: await run.sentTo(phone) };
      continue;
    }
    const question = { ...next.question, initial: takenBack.get(id) ?? next.question.initial };
    const given = givenAnswer(run, question, replay, facts.offers);
    if (given === undefined && !interactive) {
      throw new Refusal('question_unanswered', say().answer.missing({ id: question.id, question: question.message }));
    }
    const early = await checkerOf(run, isLoaded);
    const check = (answer: string): true | string => {
      const verdict = question.check(answer);
      if (verdict !== true || path === undefined) return verdict;
      return early?.(question.take(answer).order, path) ?? true;
    };
    const ask = async () => {
      await run.introduce();
      const reviewFacts = id === 'review' ? { shop: await run.shop(), places: facts.places } : {};
      return { question: id, answer: await askPerson(ports, question, state, check, reviewFacts) };
    };
    const taken = given ?? (await ask());
    if (given === undefined && taken.answer === BACK) {
      if (answers.length === 0) await ports.person.tell(say().wizard.firstQuestion);
      const last = answers.at(-1);
      if (last !== undefined) takenBack.set(last.question, last.answer);
      answers = answers.slice(0, -1);
    } else {
      const { order, chosen } = takeAnswer(state, taken, facts);
      isLoaded = true;
      const fault = path === undefined ? undefined : (await checkerOf(run, isLoaded))?.(order, path);
      if (fault !== undefined && given !== undefined)
        throw new AnswerRefused(taken, say().answer.fault({ question: id, fault }));
      if (fault !== undefined) {
        await ports.person.tell(fault);
        continue;
      }
      takenBack.delete(taken.question);
      answers = [...answers, taken.question === 'service' && chosen ? asChosen(chosen) : taken];
    }
    await run.keep(answers);
  }
}

/** Narrow enough for 80 columns; the question below says which offer is the cheapest or the fastest. */
const offersView: View = {
  columns: [
    { path: 'fee', kind: 'number' },
    { path: 'carrier' },
    { path: 'name', header: 'service' },
    { path: 'estimated_pickup_at', header: 'pickup', kind: 'time', optional: true },
    { path: 'estimated_delivery_at', header: 'delivery', kind: 'time' },
    { path: 'hours', kind: 'number', optional: true },
    { path: 'fee_per_day_saved', header: '/day', kind: 'number', optional: true },
  ],
  name: 'fee',
};

/** Shows a table of offers above the question that chooses one. */
async function showOffers({ person }: Ports, services: readonly ComparedService[]): Promise<void> {
  const named = services.map((service) => ({ ...service, carrier: service.carrier_info?.name || service.carrier }));
  const shown = await person.show(named, offersView);
  const isShown = shown.includes('fee_per_day_saved');
  if (isShown && services.some(({ fee_per_day_saved: perDay }) => perDay !== null)) {
    await person.tell(say().wizard.perDay);
  }
}
