import type { Operation } from '../../contract/operation.ts';
import type { WireRequest, WireResponse } from '../../platform/http/transport.ts';
import type { Core } from '../engine/core.ts';
import { parseUrl } from '../engine/parsed-url.ts';
import type { Layer, Part } from '../engine/part.ts';
import { invalid } from '../engine/refusal.ts';
import { matchesOperation, operationOf, parsePattern } from './fault-action.ts';
import { BrokenAnswerError, FAULT_HEADER } from './fault-acts.ts';
import { type LogEntry, type SeenRequest, showEntry } from './log-entry.ts';

/** The newest requests, limited in number and in characters. */
interface Ring {
  add(seen: SeenRequest): void;
  /** The kept requests after that id, oldest first. */
  after(id: number): readonly SeenRequest[];
  /** The id of the newest request; 0 if there is none. */
  newest(): number;
}

/** Replaces a request that is no longer kept, to free its bodies. */
const nothing: SeenRequest = {
  id: 0,
  at: 0,
  method: '',
  url: '',
  authorization: undefined,
  durationMs: 0,
  request: '',
  answer: undefined,
  arrived: false,
  faultId: undefined,
};

/** A ring with limits in requests and in characters. */
function createRing(mostEntries: number, mostCharacters: number): Ring {
  let kept: SeenRequest[] = [];
  /** The index of the oldest kept request; everything before it is removed from time to time, all at once. */
  let oldest = 0;
  let characters = 0;
  let newest = 0;
  const sizeOf = ({ request, answer }: SeenRequest) =>
    request.length + (answer?.bytes?.length ?? answer?.body.length ?? 0);
  return {
    add(seen) {
      kept.push(seen);
      characters += sizeOf(seen);
      newest = seen.id;
      while (kept.length - oldest > mostEntries || (characters > mostCharacters && kept.length - oldest > 1)) {
        const gone = kept[oldest];
        if (gone !== undefined) characters -= sizeOf(gone);
        kept[oldest] = nothing;
        oldest += 1;
      }
      if (oldest > mostEntries) {
        kept = kept.slice(oldest);
        oldest = 0;
      }
    },
    // They are numbered without gaps, so nothing has to be searched.
    after: (id) => kept.slice(Math.max(oldest, kept.length - Math.max(0, newest - id))),
    newest: () => newest,
  };
}

/** Which requests to show; an absent field matches any. */
interface LogFilter {
  /** An operation's id, `<family>.<Area>/*` or `*`. */
  readonly operation?: string | undefined;
  /** A status, a class (`4xx`), or a code such as `ok` or `not_found`. */
  readonly status?: string | undefined;
  /** A fault's id, or `any`. */
  readonly fault?: string | undefined;
  /** The id of a record in the body, or in the answer if that is not a list. */
  readonly record?: string | undefined;
  /** Whether only requests of operations that change something are shown. */
  readonly writes?: boolean | undefined;
}

/** A parsed filter: a check on the raw request, and one on the log entry. */
interface WantedRequests {
  seen(seen: SeenRequest, operation: Operation | undefined): boolean;
  shown(entry: LogEntry): boolean;
}

/** Parses a filter; refuses an invalid one with 400. */
async function parseFilter({ operation, status, fault, record, writes }: LogFilter): Promise<WantedRequests> {
  const pattern = operation === undefined ? undefined : await parsePattern(operation);
  const isStatus = status === undefined ? () => true : statusTest(status.toLowerCase());
  if (fault !== undefined && !/^(?:any|\d{1,9})$/.test(fault)) throw invalid('fault', 'must be the id of one, or any');
  if (record !== undefined && !/^\d{1,19}$/.test(record)) throw invalid('record', 'must be an id');
  const names = record === undefined ? undefined : new RegExp(`(?<!\\d)${record}(?!\\d)`);
  return {
    seen: ({ faultId, request, answer }, operation) =>
      (writes !== true || (operation !== undefined && operation.effect !== 'read')) &&
      (names === undefined ||
        names.test(request) ||
        (operation?.page === undefined && names.test(answer?.body ?? ''))) &&
      (pattern === undefined || (operation !== undefined && matchesOperation(pattern, operation.id))) &&
      (fault === undefined || (fault === 'any' ? faultId !== undefined : String(faultId) === fault)),
    shown: isStatus,
  };
}

function statusTest(text: string): (entry: LogEntry) => boolean {
  if (/^[1-5](?:\d\d|xx)$/.test(text)) {
    const digits = text.replaceAll('x', '');
    return ({ status }) => String(status ?? '').startsWith(digits);
  }
  if (!/^[a-z_]{1,64}$/.test(text)) throw invalid('status', 'must be a status like 404, a class like 4xx, or a code');
  return ({ code }) => code === text;
}

/** A request for a part of the log. */
export interface LogRequest extends LogFilter {
  /** Only requests after the one with this id, oldest first; if absent, the newest ones. */
  readonly since?: number | undefined;
  /** The most entries; 100 if absent. */
  readonly limit?: number | undefined;
  /** How long to wait if there is no request yet; real time, at most `MOST_WAIT_MS`. */
  readonly waitMs?: number | undefined;
}

/** A page of the log. */
export interface LogPage {
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
  /** The value of `since` for the next page. */
  readonly next: number;
  /** How many requests after `since` are no longer kept. */
  readonly lost: number;
}

/** The requests that the service has seen. */
export interface LogControl {
  log(request?: LogRequest): Promise<LogPage>;
}

/** The limits of the log, in requests and in characters of their bodies. */
const MOST_ENTRIES = 5000;
const MOST_CHARACTERS = 8 * 1024 * 1024;
const USUAL_LIMIT = 100;
const MOST_LIMIT = 1000;
/** The longest wait of one request; a follower then asks again. */
export const MOST_WAIT_MS = 30_000;

/**
 * The part that records requests, in memory only: to keep the log, follow it into a file. It is the outermost layer, so
 * it shows what was really sent.
 */
export function logPart(core: Core): Part<LogControl> {
  const seen = new SeenRequests(core);
  return {
    layer: (request, next) => seen.record(request, next),
    control: { log: (request) => seen.log(request) },
    interrupt: () => seen.interrupt(),
  };
}

class SeenRequests {
  readonly #core: Core;
  readonly #ring = createRing(MOST_ENTRIES, MOST_CHARACTERS);
  readonly #interruption = new AbortController();
  #lastId = 0;
  #waiting: (() => void)[] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  readonly record: Layer = async (request, next) => {
    const { clock, machineClock } = this.#core;
    const at = clock.now();
    const begun = machineClock.now();
    let answer: WireResponse | undefined;
    let arrived = false;
    let faultId: number | undefined;
    try {
      answer = await next(request);
      arrived = true;
      faultId = answer.headers[FAULT_HEADER] === undefined ? undefined : Number(answer.headers[FAULT_HEADER]);
      return answer;
    } catch (error) {
      if (error instanceof BrokenAnswerError) ({ answer, faultId } = error);
      throw error;
    } finally {
      this.#lastId += 1;
      const durationMs = machineClock.now() - begun;
      this.#ring.add({ id: this.#lastId, at, ...requestOf(request), durationMs, answer, arrived, faultId });
      for (const wake of this.#waiting) wake();
      this.#waiting = [];
    }
  };

  async log({ since: after, limit = USUAL_LIMIT, waitMs = 0, ...filter }: LogRequest = {}): Promise<LogPage> {
    const wanted = await parseFilter(filter);
    if (after !== undefined) requireWhole('since', after, Number.MAX_SAFE_INTEGER);
    requireWhole('limit', limit, MOST_LIMIT);
    requireWhole('wait_ms', waitMs, MOST_WAIT_MS);
    const { machineClock } = this.#core;
    const deadline = machineClock.now() + waitMs;
    let page = await this.#read(wanted, after, limit);
    for (;;) {
      const remaining = deadline - machineClock.now();
      if (page.entries.length > 0 || remaining <= 0 || this.#interruption.signal.aborted) return page;
      // Does not wait if a request arrived while the page was read.
      if (this.#ring.newest() <= page.next && !(await this.#nextRequest(remaining))) return page;
      const further = await this.#read(wanted, page.next, limit);
      page = { ...further, lost: page.lost + further.lost };
    }
  }

  interrupt(): void {
    this.#interruption.abort();
  }

  /** The matching requests after an id, or the newest ones, and how far was searched; the page may be empty. */
  async #read(wanted: WantedRequests, after: number | undefined, limit: number): Promise<LogPage> {
    const from = after ?? 0;
    const kept = this.#ring.after(from);
    const newest = Math.max(from, this.#ring.newest());
    const lost = Math.max(0, (kept[0]?.id ?? newest + 1) - from - 1);
    const operations = new Map<string, Operation | undefined>();
    for (const url of new Set(kept.map((seen) => seen.url))) operations.set(url, await operationOf(url));
    const entries = this.#core.read((work) => {
      const shown: LogEntry[] = [];
      for (const seen of after === undefined ? kept.toReversed() : kept) {
        if (shown.length === limit) break;
        const operation = operations.get(seen.url);
        if (!wanted.seen(seen, operation)) continue;
        const entry = showEntry(work, seen, operation);
        if (wanted.shown(entry)) shown.push(entry);
      }
      return after === undefined ? shown.reverse() : shown;
    });
    const next = after !== undefined && entries.length === limit ? (entries.at(-1)?.id ?? newest) : newest;
    return { entries, next, lost: after === undefined ? 0 : lost };
  }

  /** Waits for a request; resolves to false when the wait is over or the sandbox closes. */
  async #nextRequest(milliseconds: number): Promise<boolean> {
    const waited = new AbortController();
    const seen = new Promise<boolean>((resolve) => this.#waiting.push(() => resolve(true)));
    const either = AbortSignal.any([waited.signal, this.#interruption.signal]);
    const over = this.#core.machineClock.wait(milliseconds, either);
    const came = await Promise.race([
      seen,
      over.then(
        () => false,
        () => false,
      ),
    ]);
    waited.abort();
    return came;
  }
}

function requestOf({ method, url, headers, body }: WireRequest) {
  const path = parseUrl(url) ? url : 'http://127.0.0.1/';
  return { method, url: path, authorization: headers.authorization, request: body };
}

function requireWhole(field: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > most) {
    throw invalid(field, `must be a whole number from 0 to ${most}`);
  }
}
