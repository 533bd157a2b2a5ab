import type { Operation } from '../../contract/operation.ts';
import type { WireRequest, WireResponse } from '../../platform/transport.ts';
import type { Core } from '../core.ts';
import { FAULT_HEADER } from '../faults/act.ts';
import { BrokenAnswerError } from '../faults/broken-answer.ts';
import { operationOf } from '../faults/operation-pattern.ts';
import { parseUrl } from '../http/parsed-url.ts';
import type { Layer, Part } from '../part.ts';
import { invalid } from '../refusal.ts';
import { type LogEntry, type SeenRequest, showEntry } from './entry.ts';
import { type LogFilter, parseFilter, type WantedRequests } from './filter.ts';
import { createRing } from './ring.ts';

/** What of the log is asked for. */
export interface LogRequest extends LogFilter {
  /** Only requests after the one of this id, oldest first; absent means the newest ones. */
  readonly since?: number | undefined;
  /** At most so many; 100 when absent. */
  readonly limit?: number | undefined;
  /** How long to wait for a request where there is none yet; real time, at most `MOST_WAIT_MS`. */
  readonly waitMs?: number | undefined;
}

/** A piece of the log. */
export interface LogPage {
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
  /** To be sent as `since`, to go on from here. */
  readonly next: number;
  /** How many requests after `since` are no longer kept. */
  readonly lost: number;
}

/** The requests that the service has seen. */
export interface LogControl {
  log(request?: LogRequest): Promise<LogPage>;
}

/** Kept are at most this many requests, and this many characters of their bodies. */
const MOST_ENTRIES = 5000;
const MOST_CHARACTERS = 8 * 1024 * 1024;
const USUAL_LIMIT = 100;
const MOST_LIMIT = 1000;
/** A follower asks again after this. */
export const MOST_WAIT_MS = 30_000;

/**
 * The part that remembers requests, in memory alone: whoever wants to keep the log follows it into a file of their own.
 * It stands around every other layer, so that what it shows is what was let through.
 */
export function logPart(core: Core): Part<LogControl> {
  const ring = createRing(MOST_ENTRIES, MOST_CHARACTERS);
  const interruption = new AbortController();
  const { clock, machineClock } = core;
  let lastId = 0;
  let waiting: (() => void)[] = [];

  const layer: Layer = async (request, next) => {
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
      lastId += 1;
      const durationMs = machineClock.now() - begun;
      ring.add({ id: lastId, at, ...requestOf(request), durationMs, answer, arrived, faultId });
      for (const wake of waiting) wake();
      waiting = [];
    }
  };

  /** What is wanted after an id, or the newest of it; what was looked at; nothing yet is an empty page. */
  async function read(wanted: WantedRequests, after: number | undefined, limit: number): Promise<LogPage> {
    const from = after ?? 0;
    const kept = ring.after(from);
    const newest = Math.max(from, ring.newest());
    const lost = Math.max(0, (kept[0]?.id ?? newest + 1) - from - 1);
    const operations = new Map<SeenRequest, Operation | undefined>();
    for (const seen of kept) operations.set(seen, await operationOf(seen.url));
    const entries = core.read((work) => {
      const shown: LogEntry[] = [];
      for (const seen of after === undefined ? kept.toReversed() : kept) {
        if (shown.length === limit) break;
        const operation = operations.get(seen);
        if (!wanted.seen(seen, operation?.id)) continue;
        const entry = showEntry(work, seen, operation);
        if (wanted.shown(entry)) shown.push(entry);
      }
      return after === undefined ? shown.reverse() : shown;
    });
    const next = after !== undefined && entries.length === limit ? (entries.at(-1)?.id ?? newest) : newest;
    return { entries, next, lost: after === undefined ? 0 : lost };
  }

  /** Resolves to whether a request came before the wait was over or the sandbox closed. */
  async function nextRequest(milliseconds: number): Promise<boolean> {
    const waited = new AbortController();
    const seen = new Promise<boolean>((resolve) => waiting.push(() => resolve(true)));
    const over = machineClock.wait(milliseconds, AbortSignal.any([waited.signal, interruption.signal]));
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

  return {
    layer,
    control: {
      async log({ since: after, limit = USUAL_LIMIT, waitMs = 0, ...filter } = {}) {
        const wanted = await parseFilter(filter);
        if (after !== undefined) requireWhole('since', after, Number.MAX_SAFE_INTEGER);
        requireWhole('limit', limit, MOST_LIMIT);
        requireWhole('wait_ms', waitMs, MOST_WAIT_MS);
        const deadline = machineClock.now() + waitMs;
        let page = await read(wanted, after, limit);
        for (;;) {
          const remaining = deadline - machineClock.now();
          if (page.entries.length > 0 || remaining <= 0 || interruption.signal.aborted) return page;
          // What came while the page was read must not be waited for.
          if (ring.newest() <= page.next && !(await nextRequest(remaining))) return page;
          const further = await read(wanted, page.next, limit);
          page = { ...further, lost: page.lost + further.lost };
        }
      },
    },
    interrupt: () => interruption.abort(),
  };
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
