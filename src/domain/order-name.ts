/** The names that an order's caller gave it. */
export interface NamedOrder {
  readonly external_id?: unknown;
  readonly external_code?: unknown;
}

const given = (name: unknown) => (typeof name === 'string' && name !== '' ? name : undefined);

/**
 * What an order is called by the people who made it: its external code, which is shown in preference to its external id
 * (contract, "Order"); undefined where it has neither.
 */
export function orderName({ external_code: code, external_id: id }: NamedOrder): string | undefined {
  return given(code) ?? given(id);
}
