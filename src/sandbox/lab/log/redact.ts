import { JsonSyntaxError, parseJson } from '../../../domain/json/json.ts';

/** The replacement for a secret. */
export const REDACTED = '[redacted]';

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'auth_token',
  'api_key',
  'shop_key',
  'token',
  'secret',
  'password',
]);

/** API keys, shop keys and request tokens (decisions, section 3), also url-encoded. */
const KEY = /\b(request|shop\d{1,19}|\d{1,19})(:|%3A)[\w-]{16,}/gi;

/** A text with its keys redacted. */
export function redactText(text: string): string {
  return text.replace(KEY, `$1$2${REDACTED}`);
}

/** A body without its secrets: its parsed JSON, or its text if it is not JSON. */
export function redactBody(body: string): unknown {
  try {
    return redactValue(parseJson(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return redactText(body);
    throw error;
  }
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      redactText(name),
      SECRET_FIELDS.has(name) && typeof field === 'string' && field !== '' ? REDACTED : redactValue(field),
    ]),
  );
}
