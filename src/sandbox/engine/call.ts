import type * as z from 'zod';
import type { Account } from './account.ts';
import type { StoredAnswer, StoredJson, StoredPage } from './store/records/stored-json.ts';
import type { Work } from './work.ts';

/** One call of an operation: a unit of work with its caller. */
export interface Call extends Work {
  readonly account: Account;
  /** Scheme, host and port by which the caller reached the sandbox, for urls in an answer. */
  readonly origin: string;
}

/**
 * A value without its nulls: null and absent are the same in a request, and handlers only see absent (decisions,
 * section 2).
 */
export type WithoutNulls<Value> = Value extends readonly (infer Item)[]
  ? WithoutNulls<Item>[]
  : Value extends object
    ? { [Name in keyof Value]: WithoutNulls<Exclude<Value[Name], null>> }
    : Exclude<Value, null>;

/** An answer; records in it may be in their stored form. */
export type Answer<Value> =
  | StoredJson
  | (Value extends readonly (infer Item)[]
      ? readonly Answer<Item>[]
      : Value extends object
        ? { readonly [Name in keyof Value]: Answer<Value[Name]> }
        : Value);

/** Answers one operation; throws a Refusal to answer with an error. */
export type Handler<Request extends z.ZodObject, Response extends z.ZodObject> = (
  input: WithoutNulls<z.output<Request>>,
  call: Call,
) => Answer<z.output<Response>> | StoredAnswer | StoredPage;

/**
 * The handlers of an area: one per operation that its contract module declares, under the same name. With `handlers =
 * {...} satisfies Handlers<typeof import('../../../contract/shop/customer.ts')>` the compiler reports each missing one.
 */
export type Handlers<Area> = {
  [Name in keyof Area as Area[Name] extends { readonly credential: string } ? Name : never]: Area[Name] extends {
    readonly request: infer Request extends z.ZodObject;
    readonly response: infer Response extends z.ZodObject;
  }
    ? Handler<Request, Response>
    : never;
};

/** Any area's handlers, as dispatch calls them: input and answer are checked against the operation's schemas. */
export type AnyHandlers = Readonly<Record<string, (input: never, call: Call) => unknown>>;
