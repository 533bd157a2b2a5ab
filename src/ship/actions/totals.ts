import * as z from 'zod';
import { action } from '../../action/action.ts';
import { Refusal } from '../../client/refusal.ts';
import { documentedAs } from '../../contract/schema/json-schema.ts';
import { flag, int, list, oneOf, record, text } from '../../contract/schema/scalars.ts';
import type { Column, View } from '../../contract/view.ts';
import { fillCashOnDelivery } from '../../domain/amounts/cash-on-delivery.ts';
import { checkTotals, fillTotals, type OrderAmounts, reviewTotals } from '../../domain/amounts/totals.ts';
import { AmountError, checkChargeable, computedWeight, fillChargeable } from '../../domain/amounts/weight.ts';
import { isRecord } from '../../domain/json/values.ts';
import { orderName } from '../../domain/named-by.ts';
import type { QuotableOrder } from '../quote-of-order.ts';
import { say } from '../texts.ts';

/** The fields of an order that the formulas use; all others are kept. */
export type GivenOrder = OrderAmounts &
  QuotableOrder & {
    readonly external_id?: unknown;
    readonly external_code?: unknown;
    readonly payment_method?: unknown;
  };

/** The documentation schema of an order that may be incomplete. */
export const anyOrder = {
  partial: true,
  load: async () => (await import('../../contract/records/order.ts')).orderRequest,
} as const;

/** An order in any state: what is missing or wrong is reported by the sums. */
export const order = documentedAs(
  z
    .custom<GivenOrder>(isRecord, { error: () => say().totals.noOrder })
    .meta({ type: 'object', description: 'An order' }),
  anyOrder,
);
const orders = list(order, 'orders: JSON, JSON lines, YAML or csv; - for stdin');

const finding = z.object({
  order: text("The order's external_code, else its external_id, else # and its number in the list"),
  field: text('Path of the number'),
  given: z.nullable(int('The value in the order; null if absent', '₫, items or g')),
  expected: int('The value by the formula', '₫, items or g'),
  result: oneOf(['ok', 'different', 'negative'], 'ok, different, missing, or below zero (which the service refuses)'),
  formula: text('The arithmetic'),
});
type Finding = z.output<typeof finding>;

/** Computes a sum over an order; a number that cannot be summed is reported as the order's error, with its path. */
export function judging<Value>(name: unknown, judge: () => Value): Value {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    const message = error.message.slice(error.field.length).trimStart();
    const isNamed = typeof name === 'string' && name !== '';
    const fault = isNamed ? say().run.ofOrder({ order: name, fault: error.message }) : error.message;
    throw new Refusal('amount_unreadable', fault, {
      fieldErrors: [{ path: error.field, message }],
    });
  }
}

/** The name of an order in findings: its external code, otherwise its external id, otherwise its position. */
function nameOf(order: GivenOrder, index: number): string {
  return orderName(order) ?? `#${index + 1}`;
}

function weightFinding(order: string, { shipping }: GivenOrder): Finding[] {
  if (!shipping) return [];
  const check = checkChargeable(shipping);
  const given = shipping.chargeable_weight ?? null;
  const expected = computedWeight(shipping);
  const least = check.ok ? 'MAX(gross_weight, length * width * height / 5)' : check.formula;
  const formula = say().totals.atLeast({ formula: least });
  const isLess = given !== null && given < expected;
  return [
    { order, field: 'shipping.chargeable_weight', given, expected, result: isLess ? 'different' : 'ok', formula },
  ];
}

/** The service refuses a negative sum even if it is correct (decisions, section 7). */
const isNegative = ({ given, expected }: { readonly given: number | null; readonly expected: number }) =>
  expected < 0 || (given ?? 0) < 0;

function findingsOf(order: GivenOrder, name: string): Finding[] {
  const sums = reviewTotals(order).map(
    ({ kind: _, ok, ...review }): Finding => ({
      order: name,
      ...review,
      result: isNegative(review) ? 'negative' : ok ? 'ok' : 'different',
    }),
  );
  const prices = checkTotals(order)
    .filter(({ kind }) => kind === 'payment_above_retail')
    .map(({ kind: _, ...price }): Finding => ({ order: name, ...price, result: 'different' }));
  return [...sums, ...prices, ...weightFinding(name, order)];
}

const columns: readonly Column[] = [
  { path: 'order' },
  { path: 'field' },
  { path: 'given', kind: 'number' },
  { path: 'expected', kind: 'number' },
  { path: 'result', kind: 'state' },
];
const view: View = { columns, name: 'field', fields: ['formula'] };

const csvNote =
  'csv has one order per row; its columns are the dotted names of the fields, entries of lists by their number: external_id, lines.0.quantity, lines.0.retail_price, fee_lines.0.amount, shipping.gross_weight.';

const fileHint = { placeholder: 'FILE', from: 'rows' } as const;

const check = action({
  id: 'totals.check',
  words: ['totals', 'check'],
  summary: 'Compare the sums and weights of orders with their formulas',
  description: `Exits with 11 when something differs. ${csvNote}`,
  examples: ['shopctl totals check examples/order-complete.json --explain'],
  effect: 'read',
  agents: 'read',
  needs: [],
  input: z.object({ orders, ...record({ explain: flag('show the arithmetic') }).shape }),
  positional: ['orders'],
  hints: { orders: fileHint },
  output: list(finding, 'One formula of one order each: what is given and what it should be'),
  view: ({ explain }) =>
    explain === true ? { ...view, columns: [...columns, { path: 'formula', below: 'own-line' }] } : view,
  run({ orders }, { report }) {
    const rows = orders.flatMap((order, index) => {
      const name = nameOf(order, index);
      return judging(name, () => findingsOf(order, name));
    });
    const different = rows.filter(({ result }) => result === 'different').length;
    const negative = rows.filter(({ result }) => result === 'negative').length;
    if (different + negative > 0) report.verdict('different');
    if (different > 0) report.notice(say().totals.different({ count: different, of: rows.length }));
    if (negative > 0) report.notice(say().totals.belowZero({ count: negative, of: rows.length }));
    return rows;
  },
});

function filled(order: GivenOrder, overwrite: boolean): GivenOrder {
  const complete = fillCashOnDelivery(fillTotals(order, { overwrite }));
  if (!complete.shipping) return complete;
  return { ...complete, shipping: fillChargeable(complete.shipping, { overwrite }) };
}

const fill = action({
  id: 'totals.fill',
  words: ['totals', 'fill'],
  summary: 'Complete the missing sums, weights and cash on delivery of orders',
  description: [
    'Correct values stay, wrong values stay and are reported. cod_amount becomes the total_amount only if it is absent and the order is paid on delivery (payment_method: cod); an existing cod_amount, even 0, stays.',
    `Prints JSON; csv and JSON lines stay in their format, unless -o is given. ${csvNote}`,
  ].join('\n\n'),
  examples: ['shopctl totals fill examples/order.json', 'shopctl totals fill orders.csv > complete.csv'],
  effect: 'read',
  agents: 'read',
  needs: [],
  input: z.object({ orders, ...record({ overwrite: flag('replace what is wrong') }).shape }),
  positional: ['orders'],
  hints: { orders: fileHint },
  output: list(order, 'The same orders, complete'),
  view: { columns: [], flat: true },
  format: 'as-read',
  run({ orders, overwrite }, { report }) {
    const complete = orders.map((order, index) =>
      judging(nameOf(order, index), () => filled(order, overwrite === true)),
    );
    const wrong = complete.flatMap((order, index) =>
      judging(nameOf(order, index), () => checkTotals(order)).map(({ field, given, expected }) =>
        say().totals.isWrong({ order: nameOf(order, index), field, given: String(given), expected }),
      ),
    );
    const negative = complete.flatMap((order, index) =>
      judging(nameOf(order, index), () => reviewTotals(order))
        .filter(isNegative)
        .map(({ field }) => say().totals.isBelowZero({ order: nameOf(order, index), field })),
    );
    if (wrong.length + negative.length > 0) report.verdict('different');
    for (const sentence of negative) report.notice(sentence);
    if (wrong.length > 0) {
      for (const sentence of wrong) report.notice(sentence);
      report.notice(say().totals.leftWrong);
    }
    return complete;
  },
});

/** The contract's formulas, offline. */
export const actions = [check, fill];
