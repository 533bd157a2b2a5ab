import { callRaw } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError, CredentialError, RedirectError, ServiceError } from '../../client/errors.ts';
import { retryDelayMs } from '../../client/retry.ts';
import type { LocationTree } from '../../domain/places.ts';
import type { Row, WholeRow } from '../../workspace/rows.ts';
import type { CompleteOrder } from '../ship/order-draft.ts';
import { QuoteRefused } from '../ship/pick-quote.ts';
import type { BatchOptions } from './batch-options.ts';
import { type Chosen, choose, offersOf } from './choose-service.ts';
import { differences } from './compare.ts';
import { type Found, isAchieved, isOver, lookUp, recordIn } from './look-up.ts';
import { type Pace, Stopped } from './pace.ts';
import type { RowWork } from './row-work.ts';
import { undoneAlready } from './undone-already.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What became of a row for good. */
export type Fate = Partial<Pick<Row, 'id' | 'code' | 'shipping_code' | 'error_code' | 'error_message'>> & {
  readonly state: 'done' | 'existed' | 'failed' | 'unclear';
};

/** What sending rows needs. */
export interface SendingDesk {
  readonly work: RowWork;
  readonly options: BatchOptions;
  /** Without retries of its own, so that every attempt is known here. */
  readonly connection: Connection;
  readonly pace: Pace;
  readonly tree: LocationTree;
  /** When the batch was made, ISO 8601: a record that is much older is none of its. */
  readonly begunAt: string;
  /** Writes a request that was chosen anew, with its fee, before it is sent; undefined where `max_total` has no room. */
  readonly rewrite: (row: WholeRow, chosen: Chosen) => Promise<WholeRow | undefined>;
}

/** A row and what became of it; the row may have got another service on the way. */
export interface Sent {
  readonly row: WholeRow;
  readonly fate: Fate;
}

/** A row that was left: `maybeSent` tells whether its request may have reached the service. */
export interface Left {
  readonly row: WholeRow;
  readonly maybeSent: boolean;
  /** Stopped, or what stops the whole batch. */
  readonly reason: Error;
}

/** How often a write without an answer is looked up and, where that is safe, sent again. */
const ROUNDS = 5;
/** How far the service's clock may be behind ours. */
const CLOCKS_APART_MS = 15 * 60_000;
const CHOSEN_ANEW_AT_MOST = 2;

const failed = (error_code: string, error_message: string): Fate => ({ state: 'failed', error_code, error_message });
const unclear = (error_message: string): Fate => ({ state: 'unclear', error_code: 'outcome_unknown', error_message });

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** What the service reports of single shipments; a code of `ok` is no error (decisions, section 6). */
function shipmentError(answer: Fields): Pick<Fate, 'error_code' | 'error_message'> | undefined {
  const errors = Array.isArray(answer.fulfillment_errors) ? (answer.fulfillment_errors as Fields[]) : [];
  const error = errors.find(({ code }) => code !== 'ok' && code !== undefined && code !== null);
  return error && { error_code: String(error.code), error_message: String(error.msg ?? '') };
}

/** The facts of an answer that a result shows. */
function factsOf(answer: Fields): Pick<Fate, 'id' | 'code' | 'shipping_code'> {
  const record = recordIn(answer) ?? {};
  const [shipment] = Array.isArray(answer.fulfillments) ? (answer.fulfillments as Fields[]) : [];
  const shipping_code = text(shipment?.shipping_code ?? record.shipping_code);
  return { id: text(record.id), code: text(record.code), shipping_code };
}

/** What no other row would fare better with: the batch stops. */
function stopsAll(error: CallError): boolean {
  if (error instanceof CredentialError || error instanceof RedirectError) return true;
  if (error.kind === 'configuration' || error.kind === 'network') return true;
  return error instanceof ServiceError && ['unauthenticated', 'permission_denied', 'bad_route'].includes(error.code);
}

/** One row on its way: sent, and settled where its answer was lost. */
class Sending {
  readonly #desk: SendingDesk;
  #row: WholeRow;
  #chosenAnew = 0;
  #rounds = 0;
  /** Whether the request may have reached the service before. */
  #sentBefore: boolean;
  /** Whether an earlier run sent it: what is over may have been ended by somebody since. */
  readonly #isEarlier: boolean;

  constructor(desk: SendingDesk, row: WholeRow, isEarlier: boolean) {
    this.#desk = desk;
    this.#row = row;
    this.#sentBefore = isEarlier;
    this.#isEarlier = isEarlier;
  }

  get row(): WholeRow {
    return this.#row;
  }

  get maybeSent(): boolean {
    return this.#sentBefore;
  }

  get #payload(): Fields {
    return JSON.parse(this.#row.payload) as Fields;
  }

  /** Whether the record is looked up by a name of its own, which a create gave it. */
  get #isNamedCreate(): boolean {
    const { operation, lookup } = this.#desk.work;
    return operation.effect === 'create' && lookup?.by === 'name';
  }

  /** Sends it, and judges what comes back; `finishing` where it was begun before. */
  async send(finishing: boolean): Promise<Fate> {
    const { work, pace, connection } = this.#desk;
    const { id, credential, effect } = work.operation;
    const target = { id, credential, operation: work.operation };
    try {
      const answer = (await pace.through(() => callRaw(target, this.#row.payload, connection), {
        finishing,
      })) as Fields;
      const wrong = shipmentError(answer);
      return { state: wrong !== undefined && effect !== 'create' ? 'failed' : 'done', ...factsOf(answer), ...wrong };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.outcome === 'unknown') return this.settle();
      return error.outcome === 'applied' ? this.#appliedUnread(error) : this.#refused(error);
    }
  }

  /** Takes a record back as it is now: what is gone needs nothing, what was picked up is left. */
  async undo(): Promise<Fate> {
    const found = await this.#look();
    return undoneAlready(found) ?? this.send(false);
  }

  /** Finds out what became of a write that was sent, or may have been, and whose answer is not known. */
  async settle(): Promise<Fate> {
    const { work, connection, pace } = this.#desk;
    this.#sentBefore = true;
    if (work.lookup === undefined) return unclear('its answer was lost, and nothing tells whether it happened');
    for (;;) {
      const found = await this.#look();
      const fate = this.#isNamedCreate ? this.#made(found) : this.#achieved(found);
      if (typeof fate !== 'string') return fate;
      if (this.#rounds >= ROUNDS) return unclear('its answer was lost, and looking it up does not tell');
      const delayMs = retryDelayMs(this.#rounds, connection.random(), undefined);
      this.#rounds += 1;
      if (fate === 'send') return this.send(true);
      await pace.wait(delayMs);
    }
  }

  #look(): Promise<Found> {
    const { work, pace, connection } = this.#desk;
    return pace.through(() => lookUp(work, this.#payload, connection), { finishing: true });
  }

  /** It happened, and its answer breaks the contract: what can be read of the record is read. */
  async #appliedUnread(error: CallError): Promise<Fate> {
    const broken: Fate = { state: 'done', error_code: error.code, error_message: error.message };
    if (this.#desk.work.lookup === undefined) return broken;
    try {
      const found = await this.#look();
      return found.state === 'there' ? { state: 'done', ...factsOf(found.answer) } : broken;
    } catch (second) {
      if (second instanceof CallError) return broken;
      throw second;
    }
  }

  async #refused(error: CallError): Promise<Fate> {
    if (stopsAll(error)) throw error;
    const { work } = this.#desk;
    const isClash =
      error instanceof ServiceError && error.code === 'already_exists' && error.meta.duplicated !== 'external_code';
    if (isClash && this.#isNamedCreate) return this.#compared(error);
    if (this.#sentBefore && !this.#isNamedCreate && work.lookup !== undefined) {
      // What was sent before has perhaps done what is refused now.
      const fate = this.#achieved(await this.#look());
      if (typeof fate !== 'string') return fate;
    }
    if (work.quote !== undefined && error.code === 'invalid_argument') return this.#quotedAnew(error);
    return failed(error.code, error.message);
  }

  /** Somebody has the name: this row's own record, an equal one, or another. */
  async #compared(error: CallError): Promise<Fate> {
    const found = await this.#look();
    if (found.state === 'none' || isOver(found.record)) return failed(error.code, error.message);
    const different = differences(this.#payload, found.record, this.#desk.tree);
    if (different.length > 0) return this.#differs(different);
    return { state: this.#sentBefore ? 'done' : 'existed', ...factsOf(found.answer) };
  }

  #differs(fields: readonly string[]): Fate {
    return failed('differs', `${this.#row.name} is there with another ${fields.join(', ')}`);
  }

  /** A fee or a service that is not what was quoted is chosen again; else the refusal was about something else. */
  async #quotedAnew(error: CallError): Promise<Fate> {
    const { work, options, pace, connection } = this.#desk;
    const payload = this.#payload as unknown as CompleteOrder;
    const { shipping_service_code: code, shipping_service_fee: fee } = payload.shipping ?? {};
    const offers = await pace.through(() => offersOf(payload, work, options, connection), { finishing: true });
    const now = offers.find((offer) => offer.code === code);
    if (now?.fee === fee || this.#chosenAnew >= CHOSEN_ANEW_AT_MOST) return failed(error.code, error.message);
    this.#chosenAnew += 1;
    const was = `service ${code} cost ${fee} when it was planned`;
    try {
      const free = { ...payload, shipping: { ...payload.shipping, shipping_service_code: this.#row.pick } };
      const chosen = choose(free, offers, options);
      const rewritten = await this.#desk.rewrite(this.#row, chosen);
      if (rewritten === undefined) {
        return failed('price_changed', `${was}; it is ${chosen.fee} now, more than --max-total leaves`);
      }
      this.#row = rewritten;
    } catch (refused) {
      if (!(refused instanceof QuoteRefused)) throw refused;
      return failed('price_changed', `${was}; ${refused.message}`);
    }
    return this.send(true);
  }

  #made(found: Found): Fate | 'send' | 'look' {
    const { work, tree } = this.#desk;
    // Only a name that is unique among live records makes it harmless to send the same request once more.
    if (found.state === 'none') return work.operation.settlement === undefined ? 'look' : 'send';
    const { record, answer } = found;
    if (isOver(record)) return this.#over(record);
    const different = differences(this.#payload, record, tree);
    if (different.length > 0) return this.#differs(different);
    const isHalfDone =
      Object.hasOwn(work.operation.response.shape, 'fulfillments') &&
      record.confirm_status === 'Z' &&
      Array.isArray(answer.fulfillments) &&
      answer.fulfillments.length === 0;
    return isHalfDone ? 'look' : { state: 'done', ...factsOf(answer) };
  }

  /**
   * A record that is over has given its name back. In the run that sent it the service itself took it back, or it is an
   * older one; of an earlier run's somebody may have ended it since, and it is not made again.
   */
  #over({ created_at }: Fields): Fate | 'send' {
    const isOlder = Date.parse(String(created_at)) < Date.parse(this.#desk.begunAt) - CLOCKS_APART_MS;
    if (!this.#isEarlier || isOlder)
      return this.#desk.work.operation.settlement === undefined ? unclear('it is over') : 'send';
    return failed('already_over', 'it was made and is over since: it was cancelled or returned');
  }

  /** Writes that are no creates come to the same when they are done twice. */
  #achieved(found: Found): Fate | 'send' {
    if (!isAchieved(this.#desk.work, this.#payload, found)) return 'send';
    return { state: 'done', ...(found.state === 'there' ? factsOf(found.answer) : {}) };
  }
}

/**
 * Sends one row whose intent is on disk, and finds out what became of it; one that an earlier run may have sent is looked
 * up first. It is left where that is stopped, or where no other row would fare better: a refused key, a network that no
 * waiting mends.
 */
export async function sendRow(desk: SendingDesk, row: WholeRow, isEarlier: boolean): Promise<Sent | Left> {
  const sending = new Sending(desk, row, isEarlier);
  try {
    const begin = () => (desk.work.undoes === undefined ? sending.send(false) : sending.undo());
    const fate = await (isEarlier ? sending.settle() : begin());
    return { row: sending.row, fate };
  } catch (reason) {
    if (!(reason instanceof Stopped || reason instanceof CallError)) throw reason;
    return { row: sending.row, maybeSent: sending.maybeSent, reason };
  }
}
