import { fillCashOnDelivery } from '../../domain/cash-on-delivery.ts';
import { checkTotals, fillTotals, reviewTotals } from '../../domain/totals.ts';
import { checkChargeable, fillChargeable } from '../../domain/weight.ts';
import type { Flag, Group, Invocation, Result } from '../command.ts';
import type { Column, View } from '../document.ts';
import { type FileOrder, judging, type OrderFile, readOrders } from '../order-file.ts';
import { beforeSending } from '../printing.ts';
import { textSource } from '../text-source.ts';

/** One formula of one order: what is given and what it should be. */
interface Finding {
  readonly order: string;
  readonly field: string;
  readonly given: number | null;
  readonly expected: number;
  readonly result: 'ok' | 'different';
  readonly formula: string;
}

const columns: readonly Column[] = [
  { path: 'order' },
  { path: 'field' },
  { path: 'given', kind: 'number' },
  { path: 'expected', kind: 'number' },
  { path: 'result' },
];
const checkView: View = { columns, name: 'field', fields: ['formula'] };
const explainView: View = { ...checkView, columns: [...columns, { path: 'formula' }] };

/** How an order is called in findings: by its external id, else by its place in the file. */
function nameOf(order: FileOrder, index: number): string {
  return typeof order.external_id === 'string' && order.external_id !== '' ? order.external_id : `#${index + 1}`;
}

function weightFinding(order: string, { shipping }: FileOrder): Finding[] {
  if (!shipping) return [];
  const check = checkChargeable(shipping);
  const given = shipping.chargeable_weight ?? null;
  const expected = check.ok ? check.chargeable_weight : check.minimum;
  const formula = check.ok ? 'at least MAX(gross_weight, length * width * height / 5)' : `at least ${check.formula}`;
  return [
    { order, field: 'shipping.chargeable_weight', given, expected, result: check.ok ? 'ok' : 'different', formula },
  ];
}

function findingsOf(order: FileOrder, name: string): Finding[] {
  const sums = reviewTotals(order).map(({ kind: _, ok, ...review }) => ({
    order: name,
    ...review,
    result: ok ? ('ok' as const) : ('different' as const),
  }));
  const prices = checkTotals(order)
    .filter(({ kind }) => kind === 'payment_above_retail')
    .map(({ kind: _, ...price }) => ({ order: name, ...price, result: 'different' as const }));
  return [...sums, ...prices, ...weightFinding(name, order)];
}

async function ordersOf(invocation: Invocation): Promise<OrderFile> {
  const [path = ''] = invocation.given.arguments;
  const isCsv = invocation.given.flags.csv === true || /\.csv$/i.test(path);
  return readOrders(path, textSource(invocation.context), isCsv);
}

async function check(invocation: Invocation): Promise<Result> {
  const view = invocation.given.flags.explain === true ? explainView : checkView;
  const listed = await beforeSending(invocation.context, invocation.session, view);
  if (listed !== undefined) return listed;
  const { orders } = await ordersOf(invocation);
  const rows = orders.flatMap((order, index) => {
    const name = nameOf(order, index);
    return judging(name, () => findingsOf(order, name));
  });
  const different = rows.filter(({ result }) => result === 'different').length;
  return {
    document: { kind: 'list', rows, view },
    ...(different > 0 ? { exit: 'different', notices: [`different: ${different} of ${rows.length}`] } : {}),
  };
}

function filled(order: FileOrder, overwrite: boolean): FileOrder {
  const complete = fillCashOnDelivery(fillTotals(order, { overwrite }));
  if (!complete.shipping) return complete;
  return { ...complete, shipping: fillChargeable(complete.shipping, { overwrite }) };
}

async function fill(invocation: Invocation): Promise<Result> {
  const overwrite = invocation.given.flags.overwrite === true;
  const { orders, format, isList } = await ordersOf(invocation);
  const complete = orders.map((order, index) => judging(nameOf(order, index), () => filled(order, overwrite)));
  const { session } = invocation;
  const asked = session.settings.output;
  const defaultFormat = format === 'document' ? 'json' : format;
  const flat = (asked.origin === 'default' ? defaultFormat : asked.value) === 'csv' && !session.globals.fields;
  const rows = flat ? (await import('../csv-orders.ts')).csvRows(complete) : complete;
  const view: View = { columns: [] };
  const wrong = complete.flatMap((order, index) =>
    judging(nameOf(order, index), () => checkTotals(order)).map(
      ({ field, given, expected }) => `order ${nameOf(order, index)}: ${field} is ${given}, should be ${expected}`,
    ),
  );
  return {
    document: isList ? { kind: 'list', rows, view } : { kind: 'record', value: rows[0], view },
    defaultFormat,
    ...(wrong.length > 0
      ? { exit: 'different', notices: [...wrong, 'what was wrong is kept; --overwrite replaces it'] }
      : {}),
  };
}

const file = {
  name: 'file',
  description: 'orders: JSON, JSON lines, YAML or csv; - for stdin',
  required: true,
} as const;

const csvFlag: Flag = { name: 'csv', type: 'boolean', description: 'read csv, which stdin cannot tell by a name' };

const csvNote =
  'csv has an order a row; its columns are the dotted names of the fields, entries of lists by their number: external_id, lines.0.quantity, lines.0.retail_price, fee_lines.0.amount, shipping.gross_weight.';

/** `shopctl totals`: the contract's formulas, offline. */
export const group: Group = {
  commands: [
    {
      words: ['check'],
      summary: 'Compare the sums and weights of orders with their formulas',
      description: `Exits with 11 when something differs. ${csvNote}`,
      arguments: [file],
      flags: () => [{ name: 'explain', type: 'boolean', description: 'show the arithmetic' }, csvFlag],
      examples: ['shopctl totals check examples/order-complete.json --explain'],
      run: check,
    },
    {
      words: ['fill'],
      summary: 'Complete the missing sums, weights and cash on delivery of orders',
      description: [
        'What is right is kept, what is wrong is kept and reported. cod_amount becomes the total_amount only where it is absent and the order says that it is paid on delivery (payment_method: cod); a cod_amount that is there, 0 too, was decided by somebody.',
        `Prints JSON, but csv and JSON lines as they came, unless -o says otherwise. ${csvNote}`,
      ].join('\n\n'),
      arguments: [file],
      flags: () => [{ name: 'overwrite', type: 'boolean', description: 'replace what is wrong' }, csvFlag],
      examples: ['shopctl totals fill examples/order.json', 'shopctl totals fill orders.csv > complete.csv'],
      run: fill,
    },
  ],
};
