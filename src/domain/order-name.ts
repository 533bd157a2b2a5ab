/** The names that the caller gave an order. */
export interface NamedOrder {
  readonly external_id?: unknown;
  readonly external_code?: unknown;
}

const given = (name: unknown) => (typeof name === 'string' && name !== '' ? name : undefined);

/**
 * What the people who created an order call it: its external code, preferred to its external id (contract, "Order");
 * undefined when it has neither.
 */
export function orderName({ external_code: code, external_id: id }: NamedOrder): string | undefined {
  return given(code) ?? given(id);
}
