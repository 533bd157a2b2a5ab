import { callRaw } from '../../../client/call.ts';
import type { Connection } from '../../../client/connection.ts';
import { CredentialError, ServiceError } from '../../../client/errors.ts';
import { recordIn } from '../../../client/settle/found-record.ts';
import { loadOperation } from '../../../contract/areas.ts';
import { fieldsIn } from '../../../domain/json/value-at.ts';
import type { CellFault, CodeLookup, SourceRow } from '../../../sheets/source-row.ts';

const lookups = { product: 'shop.Product/GetProduct', variant: 'shop.Variant/GetVariant' } as const;

type Asked = { readonly id: string } | { readonly fault: string };

/** A copy of a value with another one at a path; only what is on the path is copied. */
function withAt(value: unknown, [head, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (head === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (index === head ? withAt(item, rest, put) : item));
  const fields = fieldsIn(value);
  return { ...fields, [head]: withAt(fields[head], rest, put) };
}

/** Looks up the ids of goods that rows refer to by code, each code once. */
export class GoodsByCode {
  readonly #connection: Connection;
  readonly #asked = new Map<string, Promise<Asked>>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * The rows with the ids of their goods; a code that the shop does not have is a fault of its cell. Throws a
   * CallError.
   */
  async complete(rows: readonly SourceRow[]): Promise<readonly SourceRow[]> {
    if (rows.every(({ lookups: asked = [] }) => asked.length === 0)) return rows;
    const completed: SourceRow[] = [];
    for (const row of rows) completed.push(await this.#completeOne(row));
    return completed;
  }

  async #completeOne(row: SourceRow): Promise<SourceRow> {
    let value: unknown = row.value;
    const faults: CellFault[] = [...row.faults];
    const taken: CellFault[] = [];
    for (const lookup of row.lookups ?? []) {
      const asked = await this.#idOf(lookup);
      if (lookup.isNew === true) {
        const message = `is the code of another ${lookup.of} of the shop`;
        if ('id' in asked) taken.push({ cell: lookup.cell, value: lookup.code, message });
        continue;
      }
      if ('id' in asked) value = withAt(value, lookup.path, asked.id);
      else faults.push({ cell: lookup.cell, value: lookup.code, message: asked.fault });
    }
    return { ...row, value: value as SourceRow['value'], faults, taken };
  }

  #idOf({ of, code }: CodeLookup): Promise<Asked> {
    const key = `${of} ${code}`;
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const asked = this.#ask(of, code);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(of: CodeLookup['of'], code: string): Promise<Asked> {
    const operation = await loadOperation(lookups[of]);
    const { id, credential } = operation;
    try {
      const answer = await callRaw({ id, credential, operation }, JSON.stringify({ code }), this.#connection);
      const found = recordIn(answer);
      return found === undefined ? { fault: `is no ${of} of the shop` } : { id: String(found.id) };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return { fault: `is no ${of} of the shop` };
      if (error instanceof CredentialError) return { fault: `cannot be looked up without the shop's own API key` };
      throw error;
    }
  }
}
