import { hash } from 'node:crypto';
import { type Account, accountText } from '../../client/account.ts';
import { canonicalText } from '../../domain/canonical-text.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { nationalDigits } from '../../domain/likeness.ts';
import {
  codeIdentity,
  codeName,
  contentIdentity,
  contentOf,
  type Derivation,
  derivation,
  formerContents,
  membershipText,
  nameIdentity,
  recipientDigest,
  targetIdentity,
} from '../../ledger/identity.ts';
import { nameOfField } from '../../ledger/read-operations.ts';
import type { RowWork } from '../../ledger/work.ts';
import { makesRecords } from '../row-work.ts';

const digestOf = (text: string) => hash('sha256', text, 'hex').slice(0, 20);

const digest = (...parts: readonly unknown[]) => digestOf(JSON.stringify(parts));

/** The name of a row, and what distinguishes it from others. Neither depends on its position or on the file's name. */
export interface Identity {
  readonly name: string;
  /** Whether the user named it; a derived name may still get a number appended. */
  readonly named: boolean;
  /** Hash of the values as read, before anything is filled in. */
  readonly content: string;
  /** The digest of the key that the ledger guards it by; for a derived name that of the first number. */
  readonly key: string;
  readonly recipient: string | null;
  readonly goods: string | null;
  /** What it was under former derivations, the latest first, if the name is derived. */
  readonly former?: readonly Pick<Identity, 'name' | 'content' | 'key'>[];
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function phoneOf({ shipping_address, phone }: Fields): string | undefined {
  const given = text(fieldsIn(shipping_address).phone) ?? text(phone);
  return given === undefined ? undefined : nationalDigits(given);
}

/** What two rows of a file should not share: the record that they change, or phone and lines. */
function goodsOf(value: Fields, { targets }: RowWork, phone: string | undefined): string | null {
  if (targets.length > 0) {
    const target = targets.filter((name) => text(value[name]) !== undefined).map((name) => [name, value[name]]);
    return target.length === 0 ? null : digest('target', target);
  }
  return phone === undefined || value.lines === undefined
    ? null
    : digestOf(`[${JSON.stringify(phone)},${canonicalText(value.lines)}]`);
}

/** The key of a change: the record that it changes; where nothing names it, what is asked for. */
function targetKey(value: Fields, { targets, lookup }: RowWork, content: string): string {
  if (lookup?.by === 'list') return targetIdentity('membership', membershipText(value));
  const [target] = targets.filter((name) => text(value[name]) !== undefined);
  return target === undefined
    ? contentIdentity(content, 1)
    : targetIdentity(nameOfField(target), String(value[target]));
}

/** How a row is read: `asRead` where its value has ids in place of other names, and the derivation if not that of today. */
interface AsRead {
  readonly asRead?: Fields | undefined;
  readonly by?: Derivation | undefined;
}

/**
 * The identity of a row, from the values as read. Versions `r1` (of the content) and `c1` (of an external_code): a
 * different derivation needs a new version, never a change to these, because the names are stored at the service.
 */
export function identityOf(
  value: Fields,
  work: RowWork,
  account: Account,
  { asRead = value, by = derivation }: AsRead = {},
): Identity {
  const whose = accountText(account);
  const content = contentOf(asRead, by);
  const phone = phoneOf(value);
  const rest = {
    content,
    recipient: phone === undefined ? null : recipientDigest(account, phone),
    goods: goodsOf(value, work, phone),
  };
  const derived = `shopctl-${by.version}-${digest(whose, content)}`;
  if (!makesRecords(work)) {
    return { name: derived, named: false, key: targetKey(value, work, content), ...rest };
  }
  const own = text(value.external_id);
  if (own !== undefined) return { name: own, named: true, key: nameIdentity(own), ...rest };
  const code = text(value.external_code);
  if (code !== undefined) return { name: codeName(account, code), named: true, key: codeIdentity(code), ...rest };
  const former = formerContents(asRead, by).map((one) => ({
    content: one.content,
    name: `shopctl-${one.version}-${digest(whose, one.content)}`,
    key: contentIdentity(one.content, 1),
  }));
  return {
    name: derived,
    named: false,
    key: contentIdentity(content, 1),
    ...rest,
    ...(former.length > 0 && { former }),
  };
}

/** The derived name of one of several equal rows, numbered from 1. */
export function numbered(name: string, number: number): string {
  return number === 1 ? name : `${name}-${number}`;
}

const MOST_SUM = 2n ** 256n;

/** Combines the contents of a file's rows into one hash that does not depend on their order. */
export class ContentSum {
  #sum = 0n;
  #rows = 0;

  add(content: string): void {
    this.#sum = (this.#sum + BigInt(`0x${content}`)) % MOST_SUM;
    this.#rows += 1;
  }

  get text(): string {
    return digest('s1', this.#rows, this.#sum.toString(16));
  }
}
