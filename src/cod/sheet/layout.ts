import * as z from 'zod';
import { isPaymentKind, type PaymentKind, writtenKinds } from '../../domain/amounts/payment-kinds.ts';
import { SheetError } from '../../sheets/formats/sheet.ts';
import { columnMapping, dateLayouts } from '../../sheets/mapping/mapping.ts';
import { say } from '../texts.ts';

const { field, words } = columnMapping.shape;

const column = z.strictObject({
  field,
  words,
  unit: z.literal('thousand').optional(),
  dates: z.union([z.enum(dateLayouts), z.array(z.enum(dateLayouts)).min(1)]).optional(),
  after: z.string().min(1).optional(),
  optional: z.boolean().optional(),
  negative: z.boolean().optional(),
});

const layoutSchema = z.strictObject({
  command: z.literal('cod import').optional(),
  title: z.string().optional(),
  carrier: z.string().min(1).optional(),
  only_by_name: z.boolean().optional(),
  columns: z.record(z.string(), z.union([z.string().min(1), column, z.null()])),
  constants: z
    .strictObject({ session: z.string().min(1).optional(), kind: z.enum(writtenKinds).optional() })
    .default({}),
});

/** The fields that a column can be besides the kinds of amounts. */
export const layoutFields = [
  'shipping_code',
  'fulfillment_id',
  'session',
  'delivered_on',
  'kind',
  'amount',
  'net',
] as const;

export type LayoutField = (typeof layoutFields)[number] | PaymentKind;

/** How a column of a payment file is read. */
export interface LayoutColumn extends Omit<z.output<typeof column>, 'field' | 'dates'> {
  readonly field: LayoutField;
  /** The ways in which its days may be written, the usual one first. */
  readonly dates?: readonly string[];
}

/** How the payment files of a carrier are read. */
export interface PaymentLayout {
  readonly name: string;
  /** For a person. */
  readonly title: string;
  readonly carrier: string | undefined;
  /** Whether it is never recognised, only taken by name. */
  readonly onlyByName: boolean;
  /** By header or, for capital letters alone, by position. */
  readonly columns: ReadonlyMap<string, LayoutColumn>;
  /** Headers that are known and not read. */
  readonly leftOut: readonly string[];
  readonly session: string | undefined;
  readonly kind: PaymentKind | undefined;
}

/** Whether a column of a layout is a position such as C, not a header. */
export const isPosition = (name: string) => /^[A-Z]{1,2}$/.test(name);

const isField = (name: string): name is LayoutField =>
  layoutFields.some((field) => field === name) || isPaymentKind(name);

/** Whether a file without this column is not one of the layout. */
export const isRequired = ({ field, optional }: LayoutColumn) =>
  optional !== true &&
  (field === 'shipping_code' || field === 'amount' || field === 'kind' || field === 'net' || isPaymentKind(field));

function columnFrom(header: string, to: string | z.output<typeof column>, name: string): LayoutColumn {
  const { field, dates, ...rest } = typeof to === 'string' ? { field: to } : to;
  if (!isField(field)) {
    const hint = say().layout.notAFieldHint({ fields: [...layoutFields, ...writtenKinds].join(', ') });
    throw new SheetError(say().layout.notAField({ name, header, field }), { hint });
  }
  return { ...rest, field, ...(dates && { dates: typeof dates === 'string' ? [dates] : dates }) };
}

/** Checks a layout that was parsed from YAML. Throws a SheetError that names what is wrong with it. */
export function layoutOf(value: unknown, name: string): PaymentLayout {
  const parsed = layoutSchema.safeParse(value ?? {});
  if (!parsed.success) {
    const { theFile, none, noneHint } = say().layout;
    const reported = parsed.error.issues.map(({ path, message }) => `${path.join('.') || theFile}: ${message}`);
    throw new SheetError(none({ name, faults: reported.join('; ') }), { hint: noneHint });
  }
  const { title, carrier, only_by_name, columns, constants } = parsed.data;
  const read = new Map<string, LayoutColumn>();
  const leftOut: string[] = [];
  for (const [header, to] of Object.entries(columns)) {
    if (to === null) leftOut.push(header);
    else read.set(header, columnFrom(header, to, name));
  }
  const fields = [...read.values()].map(({ field }) => field);
  const names = fields.includes('shipping_code') || fields.includes('fulfillment_id');
  const amounts = fields.some(isPaymentKind) || fields.includes('amount');
  if (!names || !amounts) {
    const { noAmount, noParcel } = say().layout;
    throw new SheetError(names ? noAmount({ name }) : noParcel({ name }));
  }
  if (fields.includes('amount') && !fields.includes('kind') && constants.kind === undefined) {
    throw new SheetError(say().layout.noKind({ name }));
  }
  return {
    name,
    title: title ?? name,
    carrier,
    onlyByName: only_by_name === true,
    columns: read,
    leftOut,
    session: constants.session,
    kind: constants.kind,
  };
}
