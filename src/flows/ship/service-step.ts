import { formatMoney } from '../../domain/money.ts';
import type { ComparedService } from '../quotes.ts';
import { type CompleteOrder, quoteRequestOf } from './order-draft.ts';
import { isPickName, pickQuote } from './pick-quote.ts';
import { answered, type Choice, type Facts, type Question, quoteKeyOf, type ShipState, summedOrder } from './state.ts';

const markWords = { cheapest: 'cheapest', fastest: 'fastest', best_value: 'best value' } as const;

/** The marks of an offer in words. */
export function marksText({ marks }: Pick<ComparedService, 'marks'>): string {
  return marks.map((mark) => markWords[mark]).join(', ');
}

function choiceOf(offer: ComparedService): Choice {
  const { code, fee, carrier, carrier_info, name } = offer;
  const what = [carrier ?? carrier_info?.name, name].filter(Boolean).join(' ');
  const marks = marksText(offer);
  return {
    name: `${formatMoney(fee ?? 0).padStart(9)}  ${what}${marks === '' ? '' : ` (${marks})`}`,
    value: `${code} ${fee ?? 0}`,
  };
}

/** A service as it is answered: its code, or what it is the most of, and the fee that was agreed to where one was. */
function readService(answer: string): { readonly pick: string; readonly fee?: number } {
  const [, pick = '', fee] = /^(.*?)(?:\s+(\d+))?$/.exec(answer.trim()) ?? [];
  return fee === undefined ? { pick } : { pick, fee: Number(fee) };
}

function withChosen(state: ShipState, code: string, fee: number, quoteKey: string): ShipState {
  return answered(state, 'service', state.order, { chosen: { code, fee, quoteKey } });
}

function serviceQuestion(state: ShipState, offers: readonly ComparedService[], quoteKey: string): Question {
  const reasonAgainst = (answer: string): string | undefined => {
    try {
      pickQuote(offers, { pick: readService(answer).pick });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    id: 'service',
    step: 'service',
    kind: 'choice',
    message: 'Service: which one?',
    choices: offers.map(choiceOf),
    check: (answer) => reasonAgainst(answer) ?? true,
    take: (answer) => {
      const { pick, fee } = readService(answer);
      const offer = pickQuote(offers, { pick });
      return withChosen(state, offer.code ?? '', fee ?? offer.fee ?? 0, quoteKey);
    },
  };
}

/** What has to happen for a service: a quote, a question, or nothing any more. */
export type ServiceStep =
  | {
      readonly kind: 'quote';
      readonly quoteKey: string;
      readonly request: ReturnType<typeof quoteRequestOf>;
      /** The state after an answer that was given to these offers earlier; undefined where it does not say enough. */
      readonly takeEarlier: (answer: string) => ShipState | undefined;
    }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'chosen'; readonly state: ShipState }
  | undefined;

/** An order that was given with a service and its fee holds to them until something is changed; sending checks them. */
function givenService({ order, asked }: ShipState): { code: string; fee: number } | undefined {
  const { shipping_service_code: code, shipping_service_fee: fee } = order.shipping ?? {};
  return code && typeof fee === 'number' && !asked.has('service') ? { code, fee } : undefined;
}

/** The next thing about the service. */
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
      const { pick, fee } = readService(answer);
      return fee === undefined || isPickName(pick) ? undefined : withChosen(state, pick, fee, quoteKey);
    };
    return { kind: 'quote', quoteKey, request: quoteRequestOf(order), takeEarlier };
  }
  return { kind: 'question', question: serviceQuestion(state, offers.services, quoteKey) };
}
