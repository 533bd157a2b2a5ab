import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import type { CellFault } from '../source-row.ts';
import type { OpenQuestion } from './questions.ts';

/** What a column says of a record, as far as it tells orders from lines, sums and notes. */
export type Role = 'code' | 'recipient' | 'phone' | 'address' | 'goods' | 'amount' | 'other';

/** The roles of the columns that are read, by index. */
export type Roles = ReadonlyMap<number, Role>;

const ofRecord: readonly (readonly [Role, RegExp])[] = [
  ['other', /^shipping\.(?:pickup|return)_address\./],
  ['code', /^(?:id|code|external_id|external_code|\w+_id|\w+_code)$/],
  ['phone', /(?:^|\.)phone$/],
  ['address', /(?:^|\.)(?:address1|full)$/],
  ['recipient', /(?:^|_address\.)(?:full_name|name)$/],
];

/** The role of a field by its dotted path. */
export function roleOf(path: string, { type, unit }: JsonSchema): Role {
  if (unit === 'currency units' || /(?:^|\.)quantity$/.test(path)) return 'amount';
  if (/^lines\./.test(path) && type !== 'integer' && type !== 'number') return 'goods';
  return ofRecord.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other';
}

/** Thrown when a file was read to its end and a person has to say what is meant; nothing of it was used. */
export class QuestionsOpen extends Error {
  readonly kind = 'usage';
  readonly code = 'questions_open';
  readonly outcome = 'not_applied';
  readonly questions: readonly OpenQuestion[];
  /** What is wrong with its cells besides. */
  readonly faults: readonly CellFault[];
  /** The saved mapping by which it was read. */
  readonly mapping: string | undefined;

  constructor(
    questions: readonly OpenQuestion[],
    { faults = [], mapping }: { faults?: readonly CellFault[]; mapping?: string | undefined } = {},
  ) {
    super(questions.map(({ text }) => text).join('; '));
    this.name = 'QuestionsOpen';
    this.questions = questions;
    this.faults = faults;
    this.mapping = mapping;
  }
}
