import { checkTotals, fillTotals, reviewTotals } from '../../domain/totals.ts';
import { checkChargeable, fillChargeable } from '../../domain/weight.ts';
import type { Group, Invocation, Result } from '../command.ts';
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
  return readOrders(invocation.given.arguments[0] ?? '', textSource(invocation.context));
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
  const complete = fillTotals(order, { overwrite });
  if (!complete.shipping) return complete;
  return { ...complete, shipping: fillChargeable(complete.shipping, { overwrite }) };
}

async function fill(invocation: Invocation): Promise<Result> {
  const overwrite = invocation.given.flags.overwrite === true;
  const { orders, isList } = await ordersOf(invocation);
  const complete = orders.map((order, index) => judging(nameOf(order, index), () => filled(order, overwrite)));
  const view: View = { columns: [] };
  const wrong = complete.flatMap((order, index) =>
    judging(nameOf(order, index), () => checkTotals(order)).map(
      ({ field, given, expected }) => `order ${nameOf(order, index)}: ${field} is ${given}, should be ${expected}`,
    ),
  );
  return {
    document: isList ? { kind: 'list', rows: complete, view } : { kind: 'record', value: complete[0], view },
    defaultFormat: 'json',
    ...(wrong.length > 0
      ? { exit: 'different', notices: [...wrong, 'what was wrong is kept; --overwrite replaces it'] }
      : {}),
  };
}

const file = { name: 'file', description: 'orders: JSON, JSON lines or YAML; - for stdin', required: true } as const;

/** `shopctl totals`: the contract's formulas, offline. */
export const group: Group = {
  commands: [
    {
      words: ['check'],
      summary: 'Compare the sums and weights of orders with their formulas',
      description: 'Exits with 11 when something differs.',
      arguments: [file],
      flags: () => [{ name: 'explain', type: 'boolean', description: 'show the arithmetic' }],
      examples: ['shopctl totals check examples/order-complete.json --explain'],
      run: check,
    },
    {
      words: ['fill'],
      summary: 'Complete the missing sums and weights of orders',
      description:
        'What is right is kept, what is wrong is kept and reported. Prints the orders, JSON unless -o says otherwise.',
      arguments: [file],
      flags: () => [{ name: 'overwrite', type: 'boolean', description: 'replace what is wrong' }],
      examples: ['shopctl totals fill examples/order.json'],
      run: fill,
    },
  ],
};
