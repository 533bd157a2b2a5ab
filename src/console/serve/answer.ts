import { JsonSyntaxError, parseJson } from '../../domain/json/json.ts';
import { isRecord } from '../../domain/json/value-at.ts';
import type { PageAnswer, PageHead, PageStream } from '../../platform/server/page-server.ts';
import { headersOf, inJson, refused } from '../gate/answers.ts';
import type { Served } from '../served.ts';
import type { RunRequest } from '../wire.ts';
import { assetAt, document } from './assets.ts';

/** Streams that are open at once: each tab that is visible has at most one. */
const MOST_STREAMS = 24;

const notAllowed = () => refused(403, 'That may not be run from a page.');

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** What a page asks for; undefined if the body is not that. */
function requestOf(body: string): RunRequest | undefined {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
  if (!isRecord(value) || !isRecord(value.input)) return undefined;
  const { input, look, agreed, from } = value;
  const isPlace = typeof from === 'number' && Number.isSafeInteger(from) && from >= 0;
  return { input, look: look === true, agreed: textsOf(agreed), ...(isPlace ? { from } : {}) };
}

/** The id behind a prefix of a path; undefined if it is not one, or not written as it should be. */
function idBehind(prefix: string, pathname: string): string | undefined {
  if (!pathname.startsWith(prefix)) return undefined;
  try {
    return decodeURIComponent(pathname.slice(prefix.length));
  } catch {
    return undefined;
  }
}

/** One stream for all that changes: it only says where, and the page asks. */
function changesOf(served: Served, streams: Set<symbol>): PageStream | PageAnswer {
  if (streams.size >= MOST_STREAMS) return refused(503, 'Too many tabs listen.');
  return {
    status: 200,
    headers: headersOf('text/event-stream'),
    open(write) {
      const own = Symbol('stream');
      streams.add(own);
      write('retry: 2000\n: open\n\n');
      const end = served.watch((change) => write(`data: ${JSON.stringify(change)}\n\n`));
      return () => {
        streams.delete(own);
        end();
      };
    },
  };
}

/** Answers admitted requests. */
export function answerer(served: Served) {
  const streams = new Set<symbol>();

  const post = async (pathname: string, body: string, left: AbortSignal): Promise<PageAnswer> => {
    const id = idBehind('/api/run/', pathname);
    if (id === undefined) return refused(404, 'There is nothing at this address.');
    const request = requestOf(body);
    if (request === undefined) return refused(400, 'That is no request of the console.');
    const ran = await served.run(id, request, left);
    return ran === undefined ? notAllowed() : inJson(ran);
  };

  const get = async (pathname: string): Promise<PageAnswer | PageStream> => {
    if (pathname === '/api/actions') return inJson(await served.catalogue());
    if (pathname === '/api/changes') return changesOf(served, streams);
    const id = idBehind('/api/form/', pathname);
    if (id !== undefined) {
      const form = await served.form(id);
      return form === undefined ? notAllowed() : inJson(form);
    }
    if (pathname.startsWith('/api/')) return refused(404, 'There is nothing at this address.');
    return (await assetAt(pathname)) ?? document;
  };

  return (head: PageHead, body: string, left: AbortSignal): Promise<PageAnswer | PageStream> => {
    const { pathname } = new URL(`http://console${head.path}`);
    return head.method === 'POST' ? post(pathname, body, left) : get(pathname);
  };
}
