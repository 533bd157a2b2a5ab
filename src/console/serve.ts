import { createHash } from 'node:crypto';
import { JsonSyntaxError, parseJson } from '../domain/json/json.ts';
import { fieldsIn, isRecord } from '../domain/json/values.ts';
import { isVietnamese } from '../domain/language.ts';
import { readAsset } from '../platform/files/asset.ts';
import type { PageAnswer, PageHead, PageStream } from '../platform/server/http-server.ts';
import { headersOf, inJson, refused } from './responses.ts';
import type { Served } from './served.ts';
import { say } from './texts.ts';
import { catalogueAddress, type Ran, type RunRequest, type UploadPiece } from './wire.ts';

/** What the page is made of, by its path; the build places the files beside this module. */
const files: ReadonlyMap<string, readonly [file: string, type: string]> = new Map([
  ['/assets/page.js', ['page.js', 'text/javascript; charset=utf-8']],
  ['/assets/page.css', ['page.css', 'text/css; charset=utf-8']],
  ['/icon.svg', ['icon.svg', 'image/svg+xml']],
  ['/favicon.ico', ['icon.svg', 'image/svg+xml']],
]);

interface Asset {
  readonly body: Uint8Array;
  readonly version: string;
}

const read = new Map<string, Promise<Asset>>();

/** A file with its version; it is read once. */
function assetOf(file: string): Promise<Asset> {
  const known = read.get(file);
  if (known !== undefined) return known;
  const reading = readAsset(new URL(`./console/${file}`, import.meta.url)).then((body) => ({
    body,
    version: createHash('sha256').update(body).digest('hex').slice(0, 16),
  }));
  read.set(file, reading);
  reading.catch(() => read.delete(file));
  return reading;
}

/** The version of a file; none while the page is not built. */
const versionOf = (file: string) =>
  assetOf(file).then(
    ({ version }) => version,
    () => '',
  );

/** The document, which contains nothing of the shop: everything is asked for by the script. */
const shell = (catalogue: string, [script, style, icon]: readonly string[]) => `<!doctype html>
<html lang="${isVietnamese() ? 'vi' : 'en'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>shopctl console</title>
    <link rel="preload" href="${catalogue}" as="fetch" crossorigin>
    <link rel="icon" href="/icon.svg?v=${icon}" type="image/svg+xml">
    <link rel="stylesheet" href="/assets/page.css?v=${style}">
    <script type="module" src="/assets/page.js?v=${script}"></script>
  </head>
  <body>
    <noscript><p>${say().needsJavaScript}</p></noscript>
    <div id="console"></div>
  </body>
</html>
`;

/**
 * A file of the page; undefined if there is none at the path. It has nothing of the shop: a browser may store it, and asks
 * for another version at another address.
 */
export async function assetAt(path: string, version: string): Promise<PageAnswer | undefined> {
  const found = files.get(path);
  if (found === undefined) return undefined;
  const [file, type] = found;
  const asset = await assetOf(file);
  const kept = version === asset.version ? { 'cache-control': 'private, max-age=31536000, immutable' } : {};
  return { status: 200, headers: { ...headersOf(type), ...kept }, body: asset.body };
}

/** The document of the screen at an address. */
export async function documentAt(address: URL): Promise<PageAnswer> {
  const versions = await Promise.all(['page.js', 'page.css', 'icon.svg'].map(versionOf));
  const body = shell(catalogueAddress(address), versions);
  return { status: 200, headers: headersOf('text/html; charset=utf-8'), body };
}

/** Streams that are open at once: each tab that is visible has at most one. */
const MOST_STREAMS = 24;

const notAllowed = () => refused(403, say().notAllowed);

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** The value of a body; undefined if it is not JSON. */
function valueIn(body: string): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** What a page asks for; undefined if the body is not that. */
function requestOf(value: unknown): RunRequest | undefined {
  if (!isRecord(value) || !isRecord(value.input)) return undefined;
  const { input, look, agreed, from, files, format, columns, early, row, opened } = value;
  const isPlace = typeof from === 'number' && Number.isSafeInteger(from) && from >= 0;
  const sent = Object.entries(fieldsIn(files)).map(([field, ids]) => [field, textsOf(ids)]);
  return {
    input,
    look: look === true,
    early: early === true,
    agreed: textsOf(agreed),
    columns: textsOf(columns),
    files: Object.fromEntries(sent),
    ...(isPlace ? { from } : {}),
    ...(typeof opened === 'string' ? { opened } : {}),
    ...(typeof format === 'string' ? { format } : {}),
    ...(typeof row === 'string' ? { row } : {}),
  };
}

/** A piece of a file; undefined if the body is none. */
function pieceOf(value: unknown): UploadPiece | undefined {
  const { id, name, bytes } = fieldsIn(value);
  if (typeof name !== 'string' || typeof bytes !== 'string') return undefined;
  return { name, bytes, ...(typeof id === 'string' ? { id } : {}) };
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

async function uploaded(served: Served, piece: UploadPiece | undefined): Promise<PageAnswer> {
  const id = piece === undefined ? undefined : await served.receive(piece);
  return id === undefined ? refused(413, say().tooLarge) : inJson({ id });
}

/** A file to save; never shown as a document of our own. */
async function fileOf(served: Served, id: string): Promise<PageAnswer> {
  const file = await served.file(id);
  if (file === undefined) return refused(404, say().fetchedAlready);
  const name = `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`;
  return { status: 200, headers: { ...headersOf(file.type), 'content-disposition': name }, body: file.body };
}

/** One stream for all that changes: it only says where, and the page asks. */
function changesOf(served: Served, streams: Set<symbol>): PageStream | PageAnswer {
  if (streams.size >= MOST_STREAMS) return refused(503, say().tooManyTabs);
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

type Tell = (ran: Ran) => void;

/** The result of a run; if it is told in parts, a line for each, of which the last is the whole. */
function resultOf(run: (early: Tell) => Promise<Ran | undefined>): Promise<PageAnswer | PageStream> {
  return new Promise((answered, failed) => {
    const lines: string[] = [];
    let tell = (line: string): unknown => lines.push(line);
    const running = run((part) => {
      tell(`${JSON.stringify(part)}\n`);
      answered({
        status: 200,
        headers: headersOf('application/x-ndjson'),
        open(write, end) {
          for (const line of lines) write(line);
          tell = write;
          // An answer without its last line is one that failed.
          running
            .then((ran) => write(JSON.stringify(ran)))
            .finally(end)
            .catch(() => {});
          return () => {};
        },
      });
    });
    running.then((ran) => answered(ran === undefined ? notAllowed() : inJson(ran)), failed);
  });
}

/** Answers admitted requests. */
export function answerer(served: Served) {
  const streams = new Set<symbol>();

  const post = async (pathname: string, body: string, left: AbortSignal): Promise<PageAnswer | PageStream> => {
    if (pathname === '/api/upload') return uploaded(served, pieceOf(valueIn(body)));
    const receipt = idBehind('/api/told/', pathname);
    if (receipt !== undefined) return inJson(await served.reported(receipt));
    const id = idBehind('/api/run/', pathname);
    if (id === undefined) return refused(404, say().nothingThere);
    const request = requestOf(valueIn(body));
    if (request === undefined) return refused(400, say().noRequest);
    return resultOf((early) => served.run(id, request, left, early));
  };

  const get = async (address: URL, left: AbortSignal): Promise<PageAnswer | PageStream> => {
    const { pathname, searchParams } = address;
    if (pathname === '/api/actions') return inJson(await served.catalogue(searchParams.get('at') ?? '', left));
    if (pathname === '/api/changes') return changesOf(served, streams);
    const file = idBehind('/api/file/', pathname);
    if (file !== undefined) return fileOf(served, file);
    const id = idBehind('/api/form/', pathname);
    if (id !== undefined) {
      const form = await served.form(id);
      return form === undefined ? notAllowed() : inJson(form);
    }
    if (pathname.startsWith('/api/')) return refused(404, say().nothingThere);
    return (await assetAt(pathname, searchParams.get('v') ?? '')) ?? documentAt(address);
  };

  return (head: PageHead, body: string, left: AbortSignal): Promise<PageAnswer | PageStream> => {
    const address = new URL(`http://console${head.path}`);
    return head.method === 'POST' ? post(address.pathname, body, left) : get(address, left);
  };
}
