import { isRecord } from '../../domain/json/values.ts';
import type { Answer } from '../../ledger/intents/answers.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import type { quoteOfOrder } from '../quote-of-order.ts';
import { say } from '../texts.ts';
import { nextOfPickup, nextOfRecipient, takeRemembered } from './address-step.ts';
import {
  answered,
  type Chosen,
  changeText,
  type Facts,
  type Lookup,
  type Question,
  type ShipState,
  type StepName,
  stepNames,
  summaryOf,
  summedOrder,
  totalOf,
  withoutStep,
} from './conversation.ts';
import { takeCustomer, takeCustomerAddress } from './customer-step.ts';
import { nextOfLines, takeProduct } from './lines-step.ts';
import { PASTE, takePasted } from './pasted-message.ts';
import { nextOfService } from './service-step.ts';
import { nextOfCash, nextOfFees, nextOfInsurance, nextOfNote, nextOfParcel, nextOfTryOn } from './small-steps.ts';

/** The next step: a question, a lookup that must come first, or the order to send. */
export type NextStep =
  | { readonly kind: 'question'; readonly question: Question }
  | Lookup
  | {
      readonly kind: 'quote';
      readonly quoteKey: string;
      readonly request: ReturnType<typeof quoteOfOrder>;
      readonly takeEarlier: (answer: string) => ShipState | undefined;
    }
  | { readonly kind: 'send'; readonly state: ShipState; readonly order: CompleteOrder; readonly chosen: Chosen }
  | { readonly kind: 'keep' };

/**
 * Thrown if an answer does not fit: it is for another question than the current one, or the question does not accept
 * it.
 */
export class AnswerRefused extends Error {
  readonly kind = 'usage';
  readonly answer: Answer;

  constructor(answer: Answer, message: string) {
    super(message);
    this.name = 'AnswerRefused';
    this.answer = answer;
  }
}

const changeable = stepNames.filter((name) => name !== 'review');

/** The id of the answer that reopens something at any time: a step, or a question by its id. */
export const CHANGE = 'change';

const targetPattern = new RegExp(`^(?:${changeable.join('|')})(?:$|[.[])`);

/** The state in which a step, or a single question, is asked again; all other answers stay. */
function reopen(state: ShipState, target: string): ShipState {
  const asked = withoutStep(withoutStep(state.asked, target), 'review');
  const [step = target] = target.split(/[.[]/);
  const typedPlaces = new Set([...state.typedPlaces].filter((name) => name !== step));
  return { ...state, asked, typedPlaces, reopened: new Set([target]), line: undefined, kept: false };
}

/** The steps with at least one answer, in order; for an order given complete, all of them. */
export function answeredSteps({ asked, fromNothing }: ShipState): StepName[] {
  return changeable.filter((step) => !fromNothing || withoutStep(asked, step).size < asked.size);
}

function reviewQuestion(state: ShipState, { fee, code, name }: Chosen): Question {
  return {
    id: 'review',
    step: 'review',
    kind: 'choice',
    message: say().wizard.review({ service: name ?? say().service.ofCode({ code }), fee }),
    initial: 'send',
    choices: [
      { name: say().menu.send, value: 'send' },
      ...changeable.map((step) => ({ name: changeText(step), value: `change ${step}` })),
      { name: say().menu.keep, value: 'keep' },
    ],
    check: (answer) =>
      answer === 'send' ||
      answer === 'keep' ||
      changeable.some((step) => answer === `change ${step}`) ||
      say().menu.noChoice,
    take: (answer) => {
      if (answer === 'send') return answered(state, 'review', state.order);
      if (answer === 'keep') return answered(state, 'review', state.order, { kept: true });
      const step = changeable.find((name) => answer === `change ${name}`);
      return step === undefined ? state : reopen(state, step);
    },
  };
}

/**
 * The question, whose answer also reopens the cash on delivery if that was equal to the total and the total changes:
 * what the carrier collects must not silently fall short.
 */
function followingTotal(before: ShipState, question: Question): Question {
  if (question.step !== 'lines' && question.step !== 'fees') return question;
  // What was said before any price follows no total; a line that is being added has none yet.
  const total = before.line === undefined ? totalOf(before) : summedOrder(before)?.total_amount;
  return {
    ...question,
    take: (answer) => {
      const after = question.take(answer);
      const { asked, order } = after;
      const followed = total !== undefined && asked.has('cod') && order.shipping?.cod_amount === total;
      if (!followed || summedOrder(after)?.total_amount === total) return after;
      const { cod_amount: _, ...shipping } = order.shipping ?? {};
      return { ...after, order: { ...order, shipping }, asked: withoutStep(asked, 'cod') };
    },
  };
}

/** What asks each step before the service, in order. */
const asking = [
  ['pickup', nextOfPickup],
  ['recipient', nextOfRecipient],
  ['lines', nextOfLines],
  ['fees', nextOfFees],
  ['parcel', nextOfParcel],
  ['cod', nextOfCash],
  ['insurance', nextOfInsurance],
  ['try_on', nextOfTryOn],
  ['note', nextOfNote],
] as const;

/** The next step, as a pure function of the state and the facts. */
export function nextStep(state: ShipState, facts: Facts): NextStep {
  if (state.kept) return { kind: 'keep' };
  const first = asking.find(([step]) => step === state.first);
  for (const [, next] of first === undefined ? asking : [first, ...asking]) {
    const question = next(state, facts);
    if (question !== undefined && !('step' in question)) return question;
    if (question !== undefined) return { kind: 'question', question: followingTotal(state, question) };
  }
  const service = nextOfService(state, facts);
  if (service?.kind === 'quote' || service?.kind === 'question') return service;
  const ready = service?.kind === 'chosen' ? service.state : state;
  const order = summedOrder(ready);
  if (order === undefined || ready.chosen === undefined) throw new TypeError(summaryOf(ready));
  if (ready.asked.has('review')) return { kind: 'send', state: ready, order, chosen: ready.chosen };
  return { kind: 'question', question: reviewQuestion(ready, ready.chosen) };
}

/** Answers that contain a choice from a list: accepted even if the list cannot be looked up again. */
const chosenFromLists: readonly (readonly [
  RegExp,
  StepName,
  (state: ShipState, answer: string, index: number) => ShipState,
])[] = [
  [/^pickup\.which$/, 'pickup', takeRemembered],
  [/^recipient\.who$/, 'recipient', takeCustomer],
  [/^recipient\.which$/, 'recipient', takeCustomerAddress],
  [/^lines\[(\d+)\]\.product$/, 'lines', (state, answer, index) => takeProduct(state, index, answer)],
];

/** Whether an answer is self-contained, so that it is accepted wherever its step is asked. */
export function isTakenAnywhere(question: string): boolean {
  return question === CHANGE || question === PASTE || chosenFromLists.some(([pattern]) => pattern.test(question));
}

/** Whether a text is what a list answers: a record, or a word for none of them. */
function isChoice(text: string): boolean {
  if (/^(?:keep|other(?: .*)?)$/s.test(text)) return true;
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

function takeChosen(state: ShipState, given: Answer, asked: Question): ShipState | undefined {
  const { question: id, answer } = given;
  for (const [pattern, step, take] of chosenFromLists) {
    const match = pattern.exec(id);
    if (match === null || asked.step !== step) continue;
    if (isChoice(answer)) return take(state, answer, Number(match[1] ?? 0));
    throw new AnswerRefused(given, say().answer.noChoice({ question: id, answer: JSON.stringify(answer) }));
  }
  return undefined;
}

/** The state after one more answer. Throws AnswerRefused if it is for another question, or not accepted. */
export function takeAnswer(state: ShipState, answer: Answer, facts: Facts): ShipState {
  if (answer.question === CHANGE) {
    if (targetPattern.test(answer.answer)) return reopen(state, answer.answer);
    throw new AnswerRefused(answer, say().answer.unchangeable({ step: answer.answer }));
  }
  if (answer.question === PASTE) return takePasted(state, answer.answer);
  const next = nextStep(state, facts);
  if (next.kind === 'quote' && answer.question === 'service') {
    const taken = next.takeEarlier(answer.answer);
    if (taken !== undefined) return taken;
  }
  // Replayed answers do not need what could be looked up.
  if (next.kind === 'customers' || next.kind === 'products' || next.kind === 'addresses') {
    return takeAnswer(state, answer, { ...facts, lists: undefined });
  }
  if (next.kind !== 'question') throw new AnswerRefused(answer, say().answer.notAsked({ question: answer.question }));
  const { question } = next;
  if (question.id !== answer.question) {
    const chosen = takeChosen(state, answer, question);
    if (chosen !== undefined) return chosen;
    if (question.skippedAs !== undefined) return takeAnswer(question.take(question.skippedAs), answer, facts);
    throw new AnswerRefused(answer, say().answer.otherAsked({ question: answer.question, asked: question.id }));
  }
  const verdict = question.check(answer.answer);
  if (verdict !== true) throw new AnswerRefused(answer, say().answer.notTaken({ ...answer, why: verdict }));
  return question.take(answer.answer);
}

/** The state after all these answers. */
export function play(state: ShipState, answers: readonly Answer[], facts: Facts): ShipState {
  return answers.reduce((now, answer) => takeAnswer(now, answer, facts), state);
}
