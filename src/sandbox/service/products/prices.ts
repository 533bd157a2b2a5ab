import { invalid } from '../../engine/refusal.ts';

const prices = ['list_price', 'retail_price', 'cost_price'] as const;

/** Refuses a negative price with 400, as orders do (our choice). */
export function checkPrices(fields: { readonly [Name in (typeof prices)[number]]?: number | undefined }): void {
  for (const price of prices) if ((fields[price] ?? 0) < 0) throw invalid(price, 'must not be negative');
}
