/** The two families of operations (contract, "What the service does"). */
export type Family = 'shop' | 'partner';

/** The id of an operation: `shop.Order/GetOrder` (contract, "Protocol"). */
export type OperationId = `${Family}.${string}/${string}`;
