import type * as z from 'zod';
import type { View } from './view.ts';

/** The two families of operations (contract, "What the service does"). */
export type Family = 'shop' | 'partner';

/** What a call does to the service's records; retries, prompts and `--read-only` follow from it alone. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'transition' | 'authorize';

/** The kind of key a call carries: a partner's API key, a partner's key for one shop, or a shop's own API key. */
export type Credential = 'partner-api-key' | 'shop-key' | 'shop-api-key';

/** One thing wrong with a value: where it is (`lines[2].quantity`) and what is wrong with it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  /** What the field is called by whom it was given, where that is not its path. */
  readonly label?: string;
}

/** A value that was accepted, or everything that is wrong with it. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** A list operation: the response key its records stand under, and whether it is asked for page by page. */
export interface Page {
  /** The key of the records in the response, for example `customers`. */
  readonly items: string;
  /** Whether the request takes `paging`, so that the cursors of the response lead on. */
  readonly cursors: boolean;
}

/**
 * How a write whose answer was lost is settled: by looking the record up under the id that its caller gave it. Only
 * orders have one: the external_id of other records can be looked up too, but is not promised to be unique, so what is
 * found might be an older record (contract, "Errors", uniqueness rules).
 */
export interface Settlement {
  /** The request field that names the record in the caller's own system. */
  readonly by: 'external_id';
  /** The operation that looks it up: `<family>.<Area>/<Operation>`. */
  readonly lookup: OperationId;
}

export type OperationId = `${Family}.${string}/${string}`;

/**
 * One operation of the service as data. Flags, checks, help, completion, the reference and the sandbox's routes are all
 * read from it; nothing else in the project knows an operation by name.
 */
export interface Operation<Request extends z.ZodObject = z.ZodObject, Response extends z.ZodObject = z.ZodObject> {
  /** `<family>.<Area>/<Operation>`, as in the contract's path. */
  readonly id: OperationId;
  /** Its one home on the command line, for example `orders get`; a command with both families' operations takes `--as`. */
  readonly command: string;
  /** One line, an imperative sentence without a full stop. */
  readonly summary: string;
  /** What a reader of the help needs beyond the summary. */
  readonly description?: string;
  /** Whole command lines of its home, the best one first; of two operations with one home the partner's has them. */
  readonly examples?: readonly string[];
  readonly effect: Effect;
  readonly credential: Credential;
  /** What may be sent. Fields not named here are unknown to the contract. */
  readonly request: Request;
  /** What a faithful service answers. `readLeniently` lets unknown fields and enum values pass. */
  readonly response: Response;
  readonly page?: Page;
  readonly settlement?: Settlement;
  /** Rules between fields that a schema cannot say, such as the order's sums. Receives a request the schema accepted. */
  readonly rules?: (request: z.output<Request>) => FieldError[];
  /** The request field that may stand as the command's positional argument. */
  readonly positional?: string;
  /** The group of commands whose lists show the ids that it acts on, where it is not its own. */
  readonly idsOf?: string;
  /** What may make a person think twice before it is sent: a record is read, and a sentence made of it, or nothing. */
  readonly caution?: { readonly lookup: OperationId; readonly of: (answer: unknown) => string | undefined };
  /** What it came to, where its answer does not say it, or what a person may take the answer for, and it is not. */
  readonly tells?: (answer: unknown, request: Readonly<Record<string, unknown>>) => string | undefined;
  /** What it answers where it works, to be shown where a service says that it is unimplemented. */
  readonly illustration?: Readonly<Record<string, unknown>>;
  /** What a person sees of its record beside the record's own fields. */
  readonly shows?: Pick<View, 'columns' | 'beside'>;
  /** Whether it takes something away though it deletes no record, as a cancel does; a person is asked before it is sent. */
  readonly destructive?: boolean;
}

/** Declares an operation; an identity function, there for inference. */
export function operation<Request extends z.ZodObject, Response extends z.ZodObject>(
  declaration: Operation<Request, Response>,
): Operation<Request, Response> {
  return declaration;
}

/** The path of an operation below the base url (contract, "Endpoints"). */
export function operationPath(id: OperationId): string {
  return `/v1/${id}`;
}

/** What one operation accepts from a caller. */
export type RequestOf<O extends Operation> = z.input<O['request']>;

/** What a handler receives: the request after its check. */
export type CheckedRequestOf<O extends Operation> = z.output<O['request']>;

/** What one operation answers. */
export type ResponseOf<O extends Operation> = z.output<O['response']>;
