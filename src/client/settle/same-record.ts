/**
 * The fields that distinguish one order from another: its amounts, counts and prices, and who gets what. The rest may
 * come back normalised by the service (official place names, computed weights, rewritten phones), and is not compared.
 */
const TELLING = new Set([
  'basket_value',
  'cod_amount',
  'full_name',
  'lines',
  'order_discount',
  'payment_price',
  'product_name',
  'quantity',
  'retail_price',
  'shipping_service_code',
  'shipping_service_fee',
  'total_amount',
  'total_discount',
  'total_items',
]);

/** Letters and digits only, so that spacing, case and the encoding of accents do not matter. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function isSame(sent: unknown, found: unknown): boolean {
  if (typeof sent === 'string' && typeof found === 'string') return folded(sent) === folded(found);
  if (Array.isArray(sent) && Array.isArray(found)) return sent.length === found.length;
  return typeof sent === 'object' || sent === found;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The path of the first distinguishing field in which a record differs from the request that may have created it;
 * undefined if they agree. A field that either side omits, or that was sent as 0, is ignored: the service may have
 * filled it in.
 */
export function firstDifference(sent: object, found: object, path = ''): string | undefined {
  const there = new Map<string, unknown>(Object.entries(found));
  for (const [name, value] of Object.entries(sent)) {
    const other = there.get(name);
    if (value === null || value === undefined || value === 0 || other === null || other === undefined) continue;
    const here = Array.isArray(sent) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    if (TELLING.has(name) && !isSame(value, other)) return here;
    const inner = isContainer(value) && isContainer(other) ? firstDifference(value, other, here) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
