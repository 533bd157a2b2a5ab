import { isRecord } from '../../domain/json/values.ts';
import { withoutKeys } from '../../platform/settings/secret.ts';
import type { Context } from '../context.ts';
import type { Session } from './session.ts';

/** Removes keys, and users of addresses, from a text: one that was typed where a name belongs would stand in a log. */
export type Concealing = (text: string) => string;

/** Conceals the keys of the environment and of the current profile, and whatever looks like a key. */
export function concealing({ env }: Pick<Context, 'env'>, session: Pick<Session, 'settings'> | undefined): Concealing {
  const { api_key, shops = {} } = session?.settings.profile ?? {};
  const saved = [api_key, ...Object.values(shops).map(({ shop_key }) => shop_key)];
  const known = [env.SHOPCTL_API_KEY, env.SHOPCTL_SHOP_KEY, ...saved].flatMap((key) => key ?? []);
  return (text) => withoutKeys(text, known);
}

/** A value with every text in it concealed, names of fields too. */
export function concealed(value: unknown, conceal: Concealing): unknown {
  if (typeof value === 'string') return conceal(value);
  if (Array.isArray(value)) return value.map((item) => concealed(item, conceal));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [conceal(name), concealed(item, conceal)]));
}
