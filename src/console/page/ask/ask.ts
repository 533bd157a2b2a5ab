import {
  type Catalogue,
  catalogueAddress,
  type ErrorData,
  type FormData,
  type Ran,
  type RunRequest,
} from '../../wire.ts';

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

  constructor(error: ErrorData) {
    super(error.message);
    this.error = error;
  }
}

async function answered(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new AskError(unreachable('The console does not answer.', 'Is `shopctl console` still running?'));
  });
  if (!answer.ok) throw new AskError(unreachable((await answer.text()).trim(), 'Open the console again.'));
  return answer;
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

/** The input of an action. */
export const askForm = (id: string) => asked<FormData>(`/api/form/${encodeURIComponent(id)}`, {});

const posted = (value: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** Runs an action; whatever fails is a result as well. */
export const askResult = (id: string, request: RunRequest): Promise<Ran> =>
  askRun(id, request).catch((thrown: unknown) => failed(thrown));

/** A failure as a result. */
export const failed = (thrown: unknown): Ran => ({
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
  const answer = await answered(`/api/run/${encodeURIComponent(id)}`, {
    ...posted(early === undefined ? request : { ...request, early: true }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (early === undefined || answer.body === null || answer.headers.get('content-type') !== 'application/x-ndjson')
    return answer.json();
  const last = await lastLine(answer.body, (line) => early(JSON.parse(line)));
  if (last === '')
    throw new AskError(unreachable('The console stopped before the end of this list.', 'Reload this page.'));
  return JSON.parse(last);
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
  thrown instanceof AskError ? thrown.error : unreachable(String(thrown), 'Reload this page.');
