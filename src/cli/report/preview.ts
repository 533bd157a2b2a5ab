import { curlOf } from '../../action/curl.ts';
import { checkedBaseUrl, endpoint } from '../../client/exchange/base-url.ts';
import type { Credential, Effect } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import { parseJson } from '../../domain/json/json.ts';
import { repeatedKey } from '../../domain/json/repeated-key.ts';
import { baseUrlOf } from '../../settings/keys.ts';
import { ReadOnlyError } from '../errors/usage-error.ts';
import type { Invocation, Result } from '../flags/command.ts';
import { concealed, concealing } from '../session/concealing.ts';

/** The request about to be sent, as far as previews and policies need it. */
export interface Outgoing {
  readonly id: OperationId;
  readonly effect: Effect;
  readonly credential: Credential;
  readonly body: string;
}

/** A body as it would be sent: its text where its value alone would not say that, such as one that is no JSON. */
function bodyAsSent(text: string): unknown {
  try {
    const value = parseJson(text);
    // A long integer is read as text.
    const isWhole = JSON.stringify(JSON.parse(text)) === JSON.stringify(value) && repeatedKey(text) === undefined;
    return isWhole ? value : text;
  } catch {
    return text;
  }
}

/** Applies the policies and previews to a call, for every command: read-only, `--dry-run` and `--curl`. */
export function guard(invocation: Invocation, outgoing: Outgoing, baseUrl?: string): Result | undefined {
  const { session } = invocation;
  const { globals, settings } = session;
  const previewed = globals['dry-run'] === true || globals.curl === true;
  if (settings.readOnly.value && outgoing.effect !== 'read' && !previewed) {
    throw new ReadOnlyError(outgoing.id, settings.readOnly.origin);
  }
  if (!previewed) return undefined;
  const url = endpoint(checkedBaseUrl(baseUrl ?? baseUrlOf(settings)), outgoing.id);
  if (globals.curl === true) return { document: { kind: 'text', text: `${curlOf({ url, ...outgoing })}\n` } };
  const value = { operation: outgoing.id, method: 'POST', url, body: bodyAsSent(outgoing.body) };
  const columns = ['operation', 'method', 'url', 'body'].map((path) => ({ path }));
  return {
    document: { kind: 'record', value, view: { columns } },
    defaultFormat: 'json',
    notices: ['dry run: nothing was sent'],
  };
}

/** In a dry run, shows what a command that makes no call would do, instead of doing it. */
export function localPreview(
  { context, session }: Invocation,
  intended: Readonly<Record<string, unknown>>,
): Result | undefined {
  if (session.globals['dry-run'] !== true && session.globals.curl !== true) return undefined;
  const value = concealed(intended, concealing(context, session));
  const columns = Object.keys(intended).map((path) => ({ path }));
  return {
    document: { kind: 'record', value, view: { columns } },
    defaultFormat: 'json',
    notices: ['dry run: nothing was done'],
  };
}
