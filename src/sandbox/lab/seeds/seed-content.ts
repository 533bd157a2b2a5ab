import { sql } from 'kysely';
import * as z from 'zod';
import { completeOrderAddress } from '../../../contract/records/address.ts';
import { newProductCollection } from '../../../contract/records/collection.ts';
import { newCustomer } from '../../../contract/records/customer.ts';
import { newCustomerAddress } from '../../../contract/records/customer-address.ts';
import { newOrderLine, orderRequest } from '../../../contract/records/order.ts';
import { newProduct, newVariant } from '../../../contract/records/product.ts';
import { fieldPath, words } from '../../../contract/schema/hint.ts';
import { inEnglish } from '../../../domain/language.ts';
import type { WithoutNulls } from '../../engine/call.ts';
import { type Database, statement } from '../../engine/store/statement.ts';
import { carriers } from '../../service/shipments/carriers.ts';

/** Tables that survive a reset: the applied schema steps, and the sandbox's settings (its clock, its seed). */
const kept: ReadonlySet<string> = new Set(['schema_steps', 'settings']);

/** Empties every table of the data, including the outbox's counter, within a transaction. */
export function emptyData(database: Database): void {
  // Foreign keys are consistent again when the transaction ends; until then the order of the tables does not matter.
  database.run(deferReferences, {});
  for (const { name } of database.all(allTables, {})) {
    if (!kept.has(name)) database.run(emptied(name), {});
  }
}

const deferReferences = statement(() => sql`PRAGMA defer_foreign_keys = ON`);
const allTables = statement(
  () => sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'`,
);
const emptied = (name: string) => statement(() => sql`DELETE FROM ${sql.table(name)}`);

// The content of a seed: the contract's requests arranged as a tree, with what links them to each other. Everything is
// created 60 days before the clock's time, unless it gives its age in hours.

const hoursAgo = z.number().min(0).max(87_600).optional();
const text = z.string().min(1);

/** A customer: shop.Customer/CreateCustomer, with addresses, and the names of its groups. */
const customer = newCustomer
  .extend({
    hours_ago: hoursAgo,
    groups: z.array(text).optional(),
    addresses: z.array(newCustomerAddress.omit({ customer_id: true }).strict()).optional(),
  })
  .strict();

/** A variant: shop.Variant/CreateVariant, with its available stock. */
const variant = newVariant
  .omit({ product_id: true })
  .extend({ stock: z.int().min(0).max(1_000_000_000).optional() })
  .strict();

/** A product: shop.Product/CreateProduct, with variants. */
const product = newProduct.extend({ hours_ago: hoursAgo, variants: z.array(variant).optional() }).strict();

/** A collection: shop.ProductCollection/CreateCollection, with the codes of its products. */
const collection = newProductCollection.extend({ products: z.array(text).optional() }).strict();

/** A line that sells a variant, given by its code; its name, price and picture are those of the variant. */
const variantLine = z.object({ variant: text, quantity: z.int(), payment_price: z.int().optional() }).strict();

/**
 * The state that an order has reached: `new`, `confirmed`, a state of its shipment, or `reconciled`, when it is also
 * paid.
 */
export const orderStates = [
  'new',
  'confirmed',
  'created',
  'picking',
  'holding',
  'delivering',
  'delivered',
  'reconciled',
  'returning',
  'returned',
  'undeliverable',
  'cancelled',
] as const;

/**
 * An order: shop.Order/CreateOrder. `customer` (a phone number) provides both addresses, `service` selects one of the
 * quotes, or is the carrier whose cheapest one it takes; `hours_late` is how much later than estimated the parcel
 * reaches a state; missing sums are computed from the lines. With a `partner`, that partner created it on the shop's behalf.
 */
const order = orderRequest
  .extend({
    hours_ago: hoursAgo,
    lines: z.array(z.union([variantLine, newOrderLine.strict()])).min(1),
    customer: text.optional(),
    partner: text.optional(),
    service: z.enum(['cheapest', 'fastest', ...carriers.map(({ code }) => code)]).optional(),
    state: z.enum(orderStates).optional(),
    hours_late: z.partialRecord(z.enum(orderStates), z.number().min(0).max(8760)).optional(),
    cancel_reason: text.optional(),
  })
  .strict();

const shop = z
  .object({
    name: text,
    email: text.optional(),
    phone: text.optional(),
    /** Where parcels are picked up if an order does not say. */
    warehouse: completeOrderAddress.strict().optional(),
    /** The names of the partners through which the shop has signed in. */
    signed_in_with: z.array(text).optional(),
    customer_groups: z.array(z.object({ name: text }).strict()).optional(),
    customers: z.array(customer).optional(),
    products: z.array(product).optional(),
    collections: z.array(collection).optional(),
    orders: z.array(order).optional(),
  })
  .strict();

const schema = z
  .object({
    partners: z
      .array(z.object({ name: text }).strict())
      .min(1)
      .optional(),
    shops: z.array(shop).min(1),
  })
  .strict();

type SeedFile = WithoutNulls<z.output<typeof schema>>;
export type OrderSeed = NonNullable<SeedFile['shops'][number]['orders']>[number];
export type ShopSeed = SeedFile['shops'][number] & { readonly history?: History };
/** The initial content of a sandbox: its accounts, and the records of its shops. */
export type SeedContent = Omit<SeedFile, 'shops'> & { readonly shops: readonly ShopSeed[] };

/** Orders over a long time, made one by one as they are populated. */
export interface History {
  /** How many days before the clock's time it begins. */
  readonly days: number;
  /**
   * The orders from the oldest to the newest, with `hours_ago`, at the clock's time in milliseconds since 1970. Each
   * comes as far as its carrier has brought it by then.
   */
  orders(now: number): Iterable<OrderSeed>;
}

export type OrderLineSeed = OrderSeed['lines'][number];

/**
 * Thrown for a seed that cannot be populated; the message starts with the path in it, such as `shops[0].orders[2].lines`.
 */
export class SeedError extends Error {
  readonly path: string;
  /** What is wrong there. */
  readonly problem: string;

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`the seed is wrong at ${path === '' ? 'its top' : path}: ${problem}`, options);
    this.name = 'SeedError';
    this.path = path;
    this.problem = problem;
  }
}

/** Parses the JSON value of a seed file. Throws a SeedError for the first thing that is wrong with it. */
export const parseSeed = (content: unknown): SeedContent => inEnglish(() => parsedSeed(content));

function parsedSeed(content: unknown): SeedContent {
  const checked = schema.safeParse(withoutNulls(content), { error: words });
  if (checked.success) return checked.data as SeedContent;
  const [issue] = checked.error.issues;
  if (issue === undefined) throw new SeedError('', 'it is not a seed');
  const { path, message } = deepest(issue);
  throw new SeedError(fieldPath(path), message);
}

/** The value without null fields, which count as unset; the same object if there are none. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (!holdsNull(value)) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const given = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  // fromEntries defines own properties, so `__proto__` stays plain data.
  return Object.fromEntries(given.map(([name, field]) => [name, withoutNulls(field)]));
}

/** Whether anything in it is null, at any depth. */
function holdsNull(value: object): boolean {
  for (const field of Object.values(value)) {
    if (field === null || field === undefined) return true;
    if (typeof field === 'object' && holdsNull(field)) return true;
  }
  return false;
}

interface Found {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The most specific issue: for a line that may have one of two forms, it is not enough to say that it has neither. */
function deepest(issue: z.core.$ZodIssue): Found {
  if (issue.code === 'unrecognized_keys') {
    return { path: [...issue.path, issue.keys[0] ?? ''], message: 'is not a field of a seed' };
  }
  if (issue.code !== 'invalid_union') return issue;
  const attempts = issue.errors.map(([first]) => first).filter((first) => first !== undefined);
  const meant = attempts.find(({ code }) => code !== 'unrecognized_keys') ?? attempts[0];
  return meant === undefined ? issue : deepest({ ...meant, path: [...issue.path, ...meant.path] });
}
