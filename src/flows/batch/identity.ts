import { hash } from 'node:crypto';
import { type Account, accountText } from '../../client/account.ts';
import { fieldsIn } from '../../domain/value-at.ts';
import type { RowWork } from './row-work.ts';

/** Fields sorted and nulls left out, so that the same record gives the same text. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  );
}

function digest(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 20);
}

/** The name of a row, and what tells it from others. Neither its place nor the file's name is in any of them. */
export interface Identity {
  readonly name: string;
  /** Whether the user named it; a derived name may still get a number. */
  readonly named: boolean;
  /** Hash of what was read, before anything is filled. */
  readonly content: string;
  readonly recipient: string | null;
  readonly goods: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function phoneOf({ shipping_address, phone }: Fields): string | undefined {
  const address = fieldsIn(shipping_address);
  return text(address.phone)?.replaceAll(/\D/g, '') ?? text(phone)?.replaceAll(/\D/g, '');
}

/** What two rows of a file should not have in common: the record that they are about, or phone and lines. */
function goodsOf(value: Fields, { targets }: RowWork, phone: string | undefined): string | null {
  if (targets.length > 0) {
    const target = targets.filter((name) => text(value[name]) !== undefined).map((name) => [name, value[name]]);
    return target.length === 0 ? null : digest('target', target);
  }
  return phone === undefined || value.lines === undefined ? null : digest(phone, canonical(value.lines));
}

/**
 * The identity of a row, from the values as they were read. Versions `r1` (of the content) and `c1` (of an external_code):
 * a change of the derivation is a new version, never a change of these, for the names are at the service.
 */
export function identityOf(value: Fields, work: RowWork, account: Account): Identity {
  const whose = accountText(account);
  const content = digest('r1', canonical(value));
  const phone = phoneOf(value);
  const rest = {
    content,
    recipient: phone === undefined ? null : digest(whose, phone),
    goods: goodsOf(value, work, phone),
  };
  const own = work.operation.effect === 'create' ? text(value.external_id) : undefined;
  if (own !== undefined) return { name: own, named: true, ...rest };
  const code = work.operation.effect === 'create' ? text(value.external_code) : undefined;
  if (code !== undefined) return { name: `shopctl-c1-${digest(whose, code)}`, named: true, ...rest };
  return { name: `shopctl-r1-${digest(whose, content)}`, named: false, ...rest };
}

/** A derived name for the row of that number among equal ones, from 1. */
export function numbered(name: string, number: number): string {
  return number === 1 ? name : `${name}-${number}`;
}

/** Sums up the contents of a file's rows, whatever their order. */
export class ContentSum {
  #sum = 0n;
  #rows = 0;

  add(content: string): void {
    this.#sum = (this.#sum + BigInt(`0x${content}`)) % 2n ** 256n;
    this.#rows += 1;
  }

  get text(): string {
    return digest('s1', this.#rows, this.#sum.toString(16));
  }
}
