/* What stands between a service and whoever asks it, in worlds at the edges: answers that are none, lost or of another record. */
import { TransportError, type WireResponse } from '../../../src/platform/http/transport.ts';
import type { Kind } from './kinds.ts';
import { type Between, createdBy, type Service } from './service.ts';

/** What the answer to one request of a piece of work may be; where it is of a look-up, a create is lost before that. */
export const oddities = [
  'anothers',
  'anothers, made',
  'empty',
  'empty, made',
  'accepted',
  'null',
  'id alone, made',
  'lost',
  'lost, made',
  'unavailable, made',
  'throttled, made, then gone',
  'unreadable 409, made',
  'look-up of another',
  'lost, look-ups of another',
  'lost, made, look-ups of another',
] as const;
export type Oddity = (typeof oddities)[number];

/** What a piece of work is to find on its way. */
export interface Way {
  readonly oddity: Oddity | undefined;
  /** The so-manieth request that it may befall. */
  readonly nth: number;
  /** How far the dates of the answers are off, in milliseconds. */
  readonly off: number;
}

const json = (status: number, body: unknown): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const closed = () => new TransportError('closed', 'maybe', 'the connection was closed');
const gone = () => new TransportError('refused', 'no', 'nobody listens');

/** What makes, changes or ends records, by the end of its path. */
const writes = /\/(?:Create|Update|Delete|Cancel|Confirm)\w+$/;
/** The first id of a record in a text. */
export const idIn = (text: string) => /\b\d{19}\b/.exec(text)?.[0];

/** The answers of a service, some of which are odd. */
export class OddAnswers {
  /** The record that others are taken for, once there is one. */
  stranger = '';
  /** Pieces of work whose change has arrived at the service, in their order. */
  readonly changing: number[] = [];
  readonly #service: Service;
  readonly #kind: Kind;
  readonly #now: () => number;
  readonly #count: (name: string) => void;
  #way: Way = { oddity: undefined, nth: 0, off: 0 };
  #asked = 0;
  #isGone = false;

  constructor(service: Service, kind: Kind, now: () => number, count: (name: string) => void) {
    this.#service = service;
    this.#kind = kind;
    this.#now = now;
    this.#count = count;
    service.wire.between = this.#between;
  }

  /** From now on the requests find this. */
  begin(way: Way): void {
    this.#way = way;
    this.#asked = 0;
    this.#isGone = false;
  }

  #between: Between = async (request, by, serve) => {
    if (by < 0) return serve(request);
    if (this.#isGone) throw gone();
    if (writes.test(request.url) && createdBy(request.url) === undefined) this.changing.push(by);
    const answer = await this.#answer(request, serve);
    const date = new Date(this.#now() + this.#way.off).toUTCString();
    return { ...answer, headers: { ...answer.headers, date } };
  };

  async #answer(...[request, serve]: [Parameters<Between>[0], Parameters<Between>[2]]): Promise<WireResponse> {
    const { oddity, nth } = this.#way;
    if (oddity === undefined || this.stranger === '') return serve(request);
    const read = this.#kind.reads.split('/').at(-1) ?? '';
    const isLookUp = request.url.endsWith(`/${read}`);
    if (isLookUp ? !/look-ups? of another/.test(oddity) : oddity === 'look-up of another' || !writes.test(request.url))
      return serve(request);
    if (isLookUp && this.#asked >= nth && oddity.includes('look-ups')) return this.#ofAnother(request, serve);
    if (isLookUp && oddity.includes('look-ups')) return serve(request);
    this.#asked += 1;
    if (this.#asked !== nth) return serve(request);
    this.#count(`edge: ${oddity}`);
    return isLookUp ? this.#ofAnother(request, serve) : this.#odd(oddity, request, serve);
  }

  #ofAnother(...[request, serve]: [Parameters<Between>[0], Parameters<Between>[2]]): Promise<WireResponse> {
    return serve({ ...request, body: JSON.stringify({ id: this.stranger }) });
  }

  async #odd(
    oddity: Oddity,
    ...[request, serve]: [Parameters<Between>[0], Parameters<Between>[2]]
  ): Promise<WireResponse> {
    // What answers nothing is believed by any success: nobody could see that such an answer is none.
    const isSilent = /\/Delete\w+$/.test(request.url) && ['empty', 'null'].includes(oddity);
    const answer = isSilent || oddity.includes('made') ? await serve(request) : undefined;
    switch (oddity) {
      case 'anothers':
      case 'anothers, made':
        return json(200, await this.#service.shown(this.#kind, this.stranger));
      case 'empty':
      case 'empty, made':
        return json(200, {});
      case 'accepted':
        return json(202, {});
      case 'null':
        return json(200, null);
      case 'id alone, made':
        return answer?.status === 200 ? json(200, { id: idIn(answer.body) }) : (answer ?? json(200, {}));
      case 'unavailable, made':
        return json(503, { code: 'unavailable', msg: 'unavailable' });
      case 'throttled, made, then gone':
        this.#isGone = true;
        return json(429, { code: 'resource_exhausted', msg: 'slower' });
      case 'unreadable 409, made':
        return { status: 409, headers: { 'content-type': 'text/html' }, body: '<h1>Conflict</h1>' };
      default:
        throw closed();
    }
  }
}
