import { checkedBaseUrl, endpoint } from '../client/base-url.ts';
import { findOperation } from '../contract/areas.ts';
import type { Credential } from '../contract/operation.ts';
import { writeJson } from '../domain/json/values.ts';
import { jsonSafe, makeSafe } from '../platform/terminal/text-safety.ts';
import type { Call } from './action.ts';

/** The variable that a curl command takes the key of each kind from. */
export const keyVariable: Readonly<Record<Credential, string>> = {
  'partner-api-key': 'SHOPCTL_API_KEY',
  'shop-key': 'SHOPCTL_SHOP_KEY',
  'shop-api-key': 'SHOPCTL_API_KEY',
};

/** One quoted word for a shell, safe for a terminal: control characters are written as escapes of `$'…'`. */
function quoted(text: string): string {
  if (makeSafe(text, 'keep') === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${makeSafe(text.replace(/[\\']/g, '\\$&'), 'keep')}'`;
}

/** A request as a curl command; the key is a variable of the environment. */
export function curlOf({
  url,
  credential,
  body,
  method = 'POST',
  contentType = 'application/json',
}: {
  readonly url: string;
  readonly credential: Credential;
  readonly body: string;
  readonly method?: string;
  readonly contentType?: string;
}): string {
  return [
    `curl --request ${method} ${quoted(url)}`,
    `  --header "Authorization: Bearer $${keyVariable[credential]}"`,
    `  --header 'Content-Type: ${contentType}'`,
    ...(body === '' ? [] : [`  --data-raw ${quoted(jsonSafe(body))}`]),
  ].join(' \\\n');
}

/** A call as a curl command; undefined if the service has no such operation. Throws a ConfigurationError for an unusable address. */
export async function curlOfCall({ operation: id, body }: Call, baseUrl: string): Promise<string | undefined> {
  const operation = await findOperation(id);
  if (operation === undefined) return undefined;
  const url = endpoint(checkedBaseUrl(baseUrl), operation.id);
  return curlOf({ url, credential: operation.credential, body: writeJson(body) });
}
