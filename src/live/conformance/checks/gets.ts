import { recordIn } from '../../../client/settle/found-record.ts';
import type { Operation } from '../../../contract/operation.ts';
import type { Verdict, Wrong } from '../notebook.ts';
import { isSuccess, type Probe, whyUnreached } from '../probe.ts';
import { type LookupName, namesOf } from '../scenarios.ts';
import { codeOf } from './answers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How many records are looked up by each of their names. */
const EACH = 3;

/** A name of a record as text; "0" and an empty one are none. */
const nameIn = (record: Fields, name: string) => {
  const value = record[name];
  return typeof value === 'string' && value !== '' && value !== '0' ? value : undefined;
};

/** Looks up records by each of their names, and sees whether those records answer: one verdict for each name. */
export async function checkNames(
  probe: Probe,
  operation: Operation,
  records: readonly Fields[],
): Promise<readonly { readonly check: `by ${LookupName}`; readonly verdict: Verdict }[]> {
  const found: { check: `by ${LookupName}`; verdict: Verdict }[] = [];
  for (const name of namesOf(operation)) {
    const values = [...new Set(records.flatMap((record) => nameIn(record, name) ?? []))].slice(0, EACH);
    found.push({ check: `by ${name}`, verdict: await checkName(probe, operation, name, values) });
  }
  return found;
}

async function checkName(
  probe: Probe,
  operation: Operation,
  name: LookupName,
  values: readonly string[],
): Promise<Verdict> {
  if (values.length === 0) return { unchecked: `no record that is listed has its ${name} set` };
  for (const value of values) {
    const told = await probe.ask(operation, { [name]: value });
    const why = whyUnreached(told);
    if (why !== undefined) return { unchecked: why };
    const wrong = (seen: string): Wrong => ({
      path: name,
      kind: 'breaks',
      expected: `the record with that ${name}`,
      seen,
      curl: told.curl,
    });
    if (!isSuccess(told)) return [wrong(`${told.response?.status} ${codeOf(told) ?? ''}`.trim())];
    if (told.plain !== undefined && recordIn(told.value)?.[name] !== value) return [wrong('another record')];
  }
  return [];
}
