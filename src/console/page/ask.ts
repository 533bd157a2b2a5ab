import {
  type Acknowledged,
  type Catalogue,
  catalogueAddress,
  type ErrorData,
  type FormData,
  type Ran,
  type RunRequest,
} from '../wire.ts';
import { say } from './texts.ts';

/** An error of the page itself: its server does not answer, or refuses it. */
const unreachable = (message: string, hint: string): ErrorData => ({
  code: 'console_unreachable',
  message,
  hint,
  outcome: 'not_applied',
  exitCode: 7,
  fields: [],
});

/** Thrown when the console's own server does not answer as it should. */
export class AskError extends Error {
  readonly error: ErrorData;
  /** Whether the server refused the request, and so has run nothing. */
  readonly isRefusal: boolean;

  constructor(error: ErrorData, isRefusal = false) {
    super(error.message);
    this.error = error;
    this.isRefusal = isRefusal;
  }
}

/** Statuses from this one on are failures in the middle of the work. */
const SERVER_FAILED = 500;

async function answered(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new AskError(unreachable(say().noAnswer, say().isItRunning));
  });
  if (answer.ok) return answer;
  const said = (await answer.text()).trim();
  const isRefusal = answer.status < SERVER_FAILED;
  throw new AskError(unreachable(said === '' ? say().failed : said, say().openAgain), isRefusal);
}

const asked = async <Answer>(path: string, init: RequestInit): Promise<Answer> => (await answered(path, init)).json();

/** Reads an answer in lines: those before the last are told as they come. */
async function lastLine(body: ReadableStream<Uint8Array<ArrayBuffer>>, tell: (line: string) => void): Promise<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return rest;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) tell(line);
  }
}

/** Everything that may be run, or what is wrong with the settings. */
export const askCatalogue = () => asked<Catalogue | { readonly error: ErrorData }>(catalogueAddress(location), {});

/**
 * The mark of the form of each action, as the console gave it when the form was opened or had shown a result. The tab keeps
 * it over a reload.
 */
const marks = {
  of: (id: string) => sessionStorage.getItem(`opened ${id}`) ?? undefined,
  keep: (id: string, opened: string) => sessionStorage.setItem(`opened ${id}`, opened),
};

/** The input of an action. */
export async function askForm(id: string): Promise<FormData> {
  const form = await asked<FormData>(`/api/form/${encodeURIComponent(id)}`, {});
  if (form.opened !== undefined && marks.of(id) === undefined) marks.keep(id, form.opened);
  return form;
}

const posted = (value: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** Runs an action; whatever fails is a result as well. A write whose answer was lost may have happened. */
export const askResult = (id: string, request: RunRequest, isWrite = false): Promise<Ran> =>
  askRun(id, request).catch((thrown: unknown) => {
    const isUnclear = isWrite && !(thrown instanceof AskError && thrown.isRefusal);
    return isUnclear
      ? { ...failed(thrown), error: { ...errorIn(thrown), ...unclear, hint: say().sendAgain } }
      : failed(thrown);
  });

/** What a lost answer of a write means, as for the command line. */
const unclear = {
  outcome: 'unknown',
  exitCode: 10,
} as const;

/** A failure as a result. */
export const failed = (thrown: unknown): Extract<Ran, { kind: 'error' }> => ({
  kind: 'error',
  error: errorIn(thrown),
  command: '',
  notices: [],
});

/** Runs an action; `early` is told what is there of a list that takes long. */
export async function askRun(
  id: string,
  request: RunRequest,
  signal?: AbortSignal,
  early?: (ran: Ran) => void,
): Promise<Ran> {
  await acknowledging.get(id);
  const opened = marks.of(id);
  const whole = { ...request, ...(opened === undefined ? {} : { opened }) };
  const answer = await answered(`/api/run/${encodeURIComponent(id)}`, {
    ...posted(early === undefined ? whole : { ...whole, early: true }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (early === undefined || answer.body === null || answer.headers.get('content-type') !== 'application/x-ndjson')
    return answer.json();
  const last = await lastLine(answer.body, (line) => early(JSON.parse(line)));
  if (last === '') throw new AskError(unreachable(say().stopped, say().reload));
  return JSON.parse(last);
}

/** What is being said to the console of the form of each action. */
const acknowledging = new Map<string, Promise<void>>();

/**
 * Says that a result is shown; what its form sends from now on is something else. Where the console does not hear it, the
 * same once more is told this result again.
 */
export function acknowledge(id: string, receipt: string): void {
  const heard = asked<Acknowledged>(`/api/told/${receipt}`, posted({}))
    .then(({ opened }) => marks.keep(id, opened))
    .catch(() => {});
  acknowledging.set(id, heard);
}

const PIECE = 2 * 1024 * 1024;

const inBase64 = (piece: Blob): Promise<string> =>
  new Promise((read, failed) => {
    const reader = new FileReader();
    reader.onload = () => read(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(piece);
  });

/** Sends a file in pieces; returns its id. */
export async function sendFile(file: File): Promise<string> {
  let id = '';
  for (let at = 0; at === 0 || at < file.size; at += PIECE) {
    const bytes = await inBase64(file.slice(at, at + PIECE));
    const piece = { name: file.name, bytes, ...(id === '' ? {} : { id }) };
    const sent = await asked<{ readonly id: string }>('/api/upload', posted(piece));
    id = sent.id;
  }
  return id;
}

/** Saves a file that was written for the page. */
export function saveFile({ id, name }: { readonly id: string; readonly name: string }): void {
  const link = document.createElement('a');
  link.href = `/api/file/${id}`;
  link.download = name;
  link.click();
}

/** The error that a failed request stands for. */
export const errorIn = (thrown: unknown): ErrorData =>
  thrown instanceof AskError ? thrown.error : unreachable(String(thrown), say().reload);
