import type { FieldError } from '../operation.ts';
import { say } from '../texts.ts';
import { saying } from './rules.ts';

/** What the service would refuse in a new webhook (decisions, section 8): an invalid url or one with a password, an entity named twice. */
export function webhookRules(request: { readonly url: string; readonly entities: readonly string[] }): FieldError[] {
  const errors: FieldError[] = [];
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    errors.push({ path: 'url', message: say().rules.url });
  } else if (url.username !== '' || url.password !== '') {
    errors.push({ path: 'url', message: say().rules.userInUrl });
  }
  for (const [index, entity] of request.entities.entries()) {
    if (request.entities.indexOf(entity) < index) {
      errors.push({ path: `entities[${index}]`, message: say().rules.secondTime({ name: entity }) });
    }
  }
  return errors;
}

saying(webhookRules, {
  properties: { url: { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^@/?#]*([/?#]|$)' }, entities: { uniqueItems: true } },
});
