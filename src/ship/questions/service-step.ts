import { formatMoney } from '../../domain/amounts/money.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import { isPickName, pickQuote } from '../pick-quote.ts';
import { quoteOfOrder } from '../quote-of-order.ts';
import type { ComparedService } from '../quotes.ts';
import { say } from '../texts.ts';
import {
  answered,
  type Choice,
  type Chosen,
  type Facts,
  type Question,
  quoteKeyOf,
  type ShipState,
  summedOrder,
} from './conversation.ts';

/** The marks of an offer in words. */
const marksText = ({ marks }: Pick<ComparedService, 'marks'>): string =>
  marks.map((mark) => say().service[mark]).join(', ');

/** The names of carrier and service; undefined if neither has a name. */
export const serviceName = ({ carrier, carrier_info, name }: ComparedService): string | undefined =>
  [carrier_info?.name || carrier, name].filter(Boolean).join(' ') || undefined;

function choiceOf(offer: ComparedService): Choice {
  const { code = '', fee } = offer;
  const marks = marksText(offer);
  const called = serviceName(offer) ?? say().service.ofCode({ code: code ?? '' });
  return {
    name: `${(typeof fee === 'number' ? formatMoney(fee) : '?').padStart(9)}  ${called}${marks === '' ? '' : ` (${marks})`}`,
    value: `${code} ${fee ?? 0}`,
  };
}

/** The service in an answer: its code, or the mark to choose by; with the agreed fee and its name, if known. */
function readService(answer: string): { readonly pick: string; readonly fee?: number; readonly name?: string } {
  const [, pick = '', fee, name] = /^(.*?)(?:\s+(\d+)(?:\s+\((.*)\))?)?$/.exec(answer.trim()) ?? [];
  return { pick, ...(fee === undefined ? {} : { fee: Number(fee) }), ...(name === undefined ? {} : { name }) };
}

/** The answer that agrees to a service at its fee, whatever is offered when it is replayed. */
export function serviceAnswer({ code, fee, name }: Chosen): string {
  return `${code} ${fee}${name === undefined ? '' : ` (${name})`}`;
}

function withChosen(state: ShipState, chosen: Chosen): ShipState {
  return answered(state, 'service', state.order, { chosen });
}

function serviceQuestion(state: ShipState, offers: readonly ComparedService[], quoteKey: string): Question {
  const reasonAgainst = (answer: string): string | undefined => {
    try {
      pickQuote(offers, { pick: readService(answer).pick });
      return undefined;
    } catch (error) {
      if (error instanceof Error) return error.message;
      throw error;
    }
  };
  return {
    id: 'service',
    step: 'service',
    kind: 'choice',
    message: say().service.ask,
    choices: offers.map(choiceOf),
    check: (answer) => reasonAgainst(answer) ?? true,
    take: (answer) => {
      const { pick, fee } = readService(answer);
      const offer = pickQuote(offers, { pick });
      return withChosen(state, {
        code: offer.code ?? '',
        fee: fee ?? offer.fee ?? 0,
        quoteKey,
        name: serviceName(offer),
      });
    },
  };
}

/** What is next for the service: a quote, a question, or nothing. */
export type ServiceStep =
  | {
      readonly kind: 'quote';
      readonly quoteKey: string;
      readonly request: ReturnType<typeof quoteOfOrder>;
      /** The state after an earlier answer to these offers; undefined if it does not contain enough. */
      readonly takeEarlier: (answer: string) => ShipState | undefined;
    }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'chosen'; readonly state: ShipState }
  | undefined;

/** A service and fee given with the order are kept until something changes; sending checks them. */
function givenService({ order, asked }: ShipState): Omit<Chosen, 'quoteKey'> | undefined {
  const { shipping_service_code: code, shipping_service_fee: fee, shipping_service_name: name } = order.shipping ?? {};
  return code && typeof fee === 'number' && !asked.has('service') ? { code, fee, name: name ?? undefined } : undefined;
}

/** The next step about the service. */
export function nextOfService(state: ShipState, facts: Facts): ServiceStep {
  const order: CompleteOrder | undefined = summedOrder(state);
  if (order === undefined) return undefined;
  const quoteKey = quoteKeyOf(order);
  const reopened = state.reopened.has('service') && !state.asked.has('service');
  if (state.chosen?.quoteKey === quoteKey && !reopened) return undefined;
  const given = state.reopened.size === 0 ? givenService(state) : undefined;
  if (given !== undefined) return { kind: 'chosen', state: { ...state, chosen: { ...given, quoteKey } } };
  const { offers } = facts;
  if (offers?.quoteKey !== quoteKey) {
    const takeEarlier = (answer: string) => {
      const { pick: code, fee, name } = readService(answer);
      return fee === undefined || isPickName(code) ? undefined : withChosen(state, { code, fee, quoteKey, name });
    };
    return { kind: 'quote', quoteKey, request: quoteOfOrder(order), takeEarlier };
  }
  return { kind: 'question', question: serviceQuestion(state, offers.services, quoteKey) };
}
