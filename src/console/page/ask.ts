import type { Catalogue, ErrorData, FormData, Ran, RunRequest } from '../wire.ts';

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

async function asked<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new AskError(unreachable('The console does not answer.', 'Is `shopctl console` still running?'));
  });
  if (!answer.ok) throw new AskError(unreachable((await answer.text()).trim(), 'Open the console again.'));
  return answer.json();
}

/** Everything that may be run, or what is wrong with the settings. */
export const askCatalogue = () => asked<Catalogue | { readonly error: ErrorData }>('/api/actions', {});

/** The input of an action. */
export const askForm = (id: string) => asked<FormData>(`/api/form/${encodeURIComponent(id)}`, {});

/** Runs an action. */
export const askRun = (id: string, request: RunRequest, signal?: AbortSignal) =>
  asked<Ran>(`/api/run/${encodeURIComponent(id)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    ...(signal === undefined ? {} : { signal }),
  });

/** The error that a failed request stands for. */
export const errorIn = (thrown: unknown): ErrorData =>
  thrown instanceof AskError ? thrown.error : unreachable(String(thrown), 'Reload this page.');
