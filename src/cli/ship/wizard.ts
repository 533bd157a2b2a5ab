import { AmountError } from '../../domain/amount-error.ts';
import type { ShipDraft } from '../../flows/drafts.ts';
import type { Answer } from '../../flows/ship/answers.ts';
import { AnswerRefused, nextStep, play, takeAnswer } from '../../flows/ship/next-step.ts';
import type { CompleteOrder, OrderDraft } from '../../flows/ship/order-draft.ts';
import { pickQuote, type QuoteWish } from '../../flows/ship/pick-quote.ts';
import { offersFor, type SendingDesk, type ShipOperations } from '../../flows/ship/send-draft.ts';
import { beginning, type Chosen, type Facts, type Question, type ShipState, summaryOf } from '../../flows/ship/state.ts';
import { PromptEnded } from '../../platform/prompter.ts';
import { makeSafe } from '../../platform/text-safety.ts';
import type { Invocation } from '../command.ts';
import { printSettings } from '../printing.ts';
import { styled } from '../print/style.ts';
import { printTable } from '../print/table.ts';
import { UsageError } from '../usage-error.ts';
import { fieldError } from './request.ts';

/** What the wizard is run with. */
export interface WizardRun {
  readonly invocation: Invocation;
  readonly draft: ShipDraft;
  readonly wish: QuoteWish;
  /** Whether a person may be asked. */
  readonly interactive: boolean;
  /** Answers of a file, taken before anybody is asked. */
  readonly replayed: readonly Answer[];
  readonly facts: Pick<Facts, 'pickups'>;
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

/** Typed alone, it goes one question back. */
const BACK = '<';

/** Shows offers side by side, as wide as the terminal is; which are cheapest and fastest stands in the question. */
async function showOffers({ invocation }: WizardRun, services: readonly object[]): Promise<void> {
  const { context, session } = invocation;
  const settings = await printSettings(context, session);
  const { columns = 80 } = context.stderr;
  const view = {
    columns: [
      { path: 'fee', kind: 'number' },
      { path: 'carrier' },
      { path: 'name', header: 'service' },
      { path: 'estimated_pickup_at', header: 'pickup', kind: 'time' },
      { path: 'estimated_delivery_at', header: 'delivery', kind: 'time' },
      { path: 'hours', kind: 'number' },
      { path: 'fee_per_day_saved', header: 'per_day', kind: 'number' },
    ],
    name: 'code',
  } as const;
  const { fields: _, query: __, ...plain } = settings;
  await printTable(services, view, { ...plain, columns, terminal: true }, context.stderr);
}

class Wizard {
  readonly #run: WizardRun;
  readonly #start: ShipState;
  #facts: Facts;
  #answers: Answer[];
  #replay: Answer[];
  #operations: ShipOperations | undefined;
  #picked = false;

  constructor(run: WizardRun) {
    this.#run = run;
    const { draft } = run;
    this.#start = beginning(draft.order, !draft.from_input);
    this.#facts = { ...run.facts };
    this.#answers = [...draft.answers];
    this.#replay = [...run.replayed];
  }

  async run(): Promise<WizardEnd> {
    // Answers are played against the place names, and a given order's places are looked up in them.
    if (this.#answers.length > 0 || this.#replay.length > 0 || this.#run.draft.from_input) await this.#loadPlaces();
    for (;;) {
      const state = play(this.#start, this.#answers, this.#facts);
      const next = nextStep(state, this.#facts);
      switch (next.kind) {
        case 'places':
          await this.#loadPlaces();
          break;
        case 'quote': {
          await this.#quote(next.quoteKey, state);
          break;
        }
        case 'keep':
          return { kind: 'keep' };
        case 'send':
          return { kind: 'send', answers: this.#answers, order: next.order, accepted: next.chosen };
        case 'question':
          await this.#answer(next.question, state);
      }
    }
  }

  /** Goes back to the choice of a service: what was agreed to is no longer offered so. */
  reconsider(answers: readonly Answer[], reason: string): Promise<void> {
    const at = answers.findLastIndex(({ question }) => question === 'service');
    this.#answers = at < 0 ? [...answers, { question: 'review', answer: 'change service' }] : answers.slice(0, at);
    if (at < 0) this.#answers = [...answers.filter(({ question }) => question !== 'review'), this.#changeService];
    const { offers: _, ...facts } = this.#facts;
    this.#facts = facts;
    this.#picked = true;
    return this.#tell(reason);
  }

  readonly #changeService: Answer = { question: 'review', answer: 'change service' };

  async #loadPlaces(): Promise<void> {
    if (this.#facts.places !== undefined) return;
    const { locationTree } = await import('../../domain/place-data.ts');
    this.#facts = { ...this.#facts, places: locationTree };
  }

  async #loadOperations(): Promise<ShipOperations> {
    this.#operations ??= await this.#run.operations();
    return this.#operations;
  }

  async #quote(quoteKey: string, state: ShipState): Promise<void> {
    const { invocation, wish, interactive } = this.#run;
    const desk: Pick<SendingDesk, 'operations' | 'connection' | 'by'> = {
      operations: await this.#loadOperations(),
      connection: invocation.session.connection(),
      by: wish.by,
    };
    const { wholeOrder } = await import('./request.ts');
    const services = await offersFor(wholeOrder(desk.operations, state.order), desk);
    if (services.length === 0) pickQuote(services, wish);
    this.#facts = { ...this.#facts, offers: { quoteKey, services } };
    if (interactive && this.#replay.length === 0 && wish.pick === undefined) await showOffers(this.#run, services);
  }

  /** The answer that needs nobody: of the file, of `--pick`, of `--yes`. */
  #givenAnswer(question: Question): string | undefined {
    const { wish, invocation } = this.#run;
    const [next] = this.#replay;
    if (next !== undefined && (next.question === question.id || question.skippedAs !== undefined)) {
      if (next.question !== question.id) return question.skippedAs;
      this.#replay.shift();
      return next.answer;
    }
    if (next !== undefined) {
      throw new AnswerRefused(next, `the answers go on with ${next.question}, and ${question.id} is asked`);
    }
    if (question.id === 'service' && wish.pick !== undefined && !this.#picked) {
      this.#picked = true;
      const offer = pickQuote(this.#facts.offers?.services ?? [], wish);
      return `${offer.code} ${offer.fee ?? 0}`;
    }
    return question.id === 'review' && invocation.session.globals.yes === true && !this.#picked ? 'send' : undefined;
  }

  async #answer(question: Question, state: ShipState): Promise<void> {
    const given = this.#givenAnswer(question);
    if (given === undefined && !this.#run.interactive) {
      throw new UsageError(`the answers end before ${question.id}: ${question.message}`, {
        hint: 'where nobody can be asked, --pick, --yes and the answers have to say everything',
      });
    }
    const answer = given ?? (await this.#ask(question, state));
    if (answer === BACK && given === undefined) {
      if (this.#answers.length === 0) await this.#tell('this is the first question');
      else this.#answers.pop();
    } else {
      const taken = { question: question.id, answer };
      const after = takeAnswer(state, taken, this.#facts);
      const fault = await this.#faultIn(question, after.order);
      if (fault !== undefined && given !== undefined) throw new AnswerRefused(taken, `${question.id}: ${fault}`);
      if (fault !== undefined) return this.#tell(fault);
      this.#answers.push(taken);
    }
    await this.#run.keep(this.#answers);
  }

  /** What the contract has against an answer. It is loaded with the first one: the first question must not wait for it. */
  async #faultIn({ path }: Question, order: OrderDraft): Promise<string | undefined> {
    return path === undefined ? undefined : fieldError(await this.#loadOperations(), order, path);
  }

  #checkTyped(question: Question, answer: string): true | string {
    if (answer.trim() === BACK) return true;
    const verdict = question.check(answer);
    if (verdict !== true || question.path === undefined || this.#operations === undefined) return verdict;
    try {
      return fieldError(this.#operations, question.take(answer).order, question.path) ?? true;
    } catch (error) {
      if (error instanceof AmountError) return error.message;
      throw error;
    }
  }

  async #ask(question: Question, state: ShipState): Promise<string> {
    const { invocation } = this.#run;
    const { prompter, stderr } = invocation.context;
    const { colour } = await printSettings(invocation.context, invocation.session);
    await stderr.write(`${styled(makeSafe(summaryOf(state)), 'dim', colour)}\n`);
    const { message } = question;
    const back = { name: 'go back', value: BACK };
    if (question.kind === 'choice') {
      const choices = [...(question.choices ?? []), back];
      const { initial } = question;
      return prompter.choose({ message, choices, ...(initial === undefined ? {} : { initial }) });
    }
    if (question.kind === 'live') {
      for (;;) {
        const source = (typed: string) => (typed.trim() === BACK ? [back] : (question.search?.(typed) ?? []));
        const answer = await prompter.search({ message, source });
        const verdict = this.#checkTyped(question, answer);
        if (verdict === true) return answer;
        await this.#tell(verdict);
      }
    }
    const validate = (answer: string) => this.#checkTyped(question, answer);
    const { initial } = question;
    const typed = await prompter.text({ message, validate, ...(initial === undefined ? {} : { initial }) });
    return typed.trim() === BACK ? BACK : typed;
  }

  async #tell(text: string): Promise<void> {
    await this.#run.invocation.context.stderr.write(`  ${makeSafe(text)}\n`);
  }
}
