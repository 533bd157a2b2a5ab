import type * as z from 'zod';
import type { OperationId } from './operation-id.ts';
import type { View } from './view.ts';

/** A call's effect on the service's records; retries, prompts and `--read-only` depend on it alone. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'transition' | 'authorize';

/** The kind of key a call needs: a partner's API key, a partner's key for one shop, or a shop's own API key. */
export type Credential = 'partner-api-key' | 'shop-key' | 'shop-api-key';

/** One error in a value: its path (`lines[2].quantity`) and what is wrong with it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  /** The name by which the caller gave the field, if that is not its path. */
  readonly label?: string;
}

/** An error in the words of the command line. */
export interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly operation?: string;
  readonly outcome: 'not_applied' | 'applied' | 'unknown' | 'partial';
  readonly exitCode: number;
  /** That of the service's answer, if it has answered. */
  readonly httpStatus?: number;
  readonly fields: readonly { readonly path: string; readonly message: string }[];
}

/** An accepted value, or everything that is wrong with it. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** A list operation: the response key of its records, and whether it is paginated. */
export interface Page {
  /** The key of the records in the response, for example `customers`. */
  readonly items: string;
  /** Whether the request takes `paging`, so that the response's cursors lead to further pages. */
  readonly cursors: boolean;
}

/** What others may have made under a record, such as the addresses of a customer: it goes with the record. */
export interface Holding {
  /** Its name in sentences, and the field of the record that holds it if no list does. */
  readonly as: string;
  /** The list that shows it, and the filter and field that hold the id of the record. */
  readonly list?: { readonly operation: OperationId; readonly by: string };
}

/**
 * How to settle a write whose response was lost: by looking the record up by the caller's id. Only orders have one:
 * other records can be looked up by external_id too, but it is not guaranteed to be unique, so the result might be an
 * older record (contract, "Errors", uniqueness rules).
 */
export interface Settlement {
  /** The request field that names the record in the caller's own system. */
  readonly by: 'external_id';
  /** The lookup operation: `<family>.<Area>/<Operation>`. */
  readonly lookup: OperationId;
}

/**
 * One operation of the service as data. Flags, checks, help, completion, the reference and the sandbox's routes are all
 * derived from it; nothing else in the project refers to an operation by name.
 */
export interface Operation<Request extends z.ZodObject = z.ZodObject, Response extends z.ZodObject = z.ZodObject> {
  /** `<family>.<Area>/<Operation>`, as in the contract's path. */
  readonly id: OperationId;
  /** Its command, for example `orders get`; a command that exists in both families takes `--as`. */
  readonly command: string;
  /** One line, an imperative sentence without a full stop. */
  readonly summary: string;
  /** Details for the help beyond the summary. */
  readonly description?: string;
  /** Whole command lines, the best one first; if two operations share a command, the partner's has them. */
  readonly examples?: readonly string[];
  readonly effect: Effect;
  readonly credential: Credential;
  /** The request. Fields not named here are unknown to the contract. */
  readonly request: Request;
  /** The response of a faithful service. `readLeniently` lets unknown fields and enum values pass. */
  readonly response: Response;
  readonly page?: Page;
  readonly settlement?: Settlement;
  /**
   * Rules between fields that a schema cannot express, such as the order's sums. Receives a request that the schema
   * accepted.
   */
  readonly rules?: (request: z.output<Request>) => FieldError[];
  /** The request field that can be given as the command's positional argument. */
  readonly positional?: string;
  /** What reads a parcel of its record by the parcel's code, with the record's id as its `order_id`. */
  readonly byParcel?: OperationId;
  /** For a read: the list in which its record is found by an external_code, which no request takes, also before a change. */
  readonly codesIn?: OperationId;
  /** The command group whose lists show the ids that it takes, if not its own. */
  readonly idsOf?: string;
  /** Whether an external_id finds only what the caller itself has created (decisions, section 5). */
  readonly creatorsNames?: boolean;
  /** For what ends a record: what reads that before it is sent, and what it says of it; undefined if it does not say it. */
  readonly before?: { readonly lookup: OperationId; readonly of: (answer: unknown) => BeforeEnd | undefined };
  /**
   * For a create that can be sent without a name: the fields that a record brings back if it is the one that was created Text
   * may come back in another spelling.
   */
  readonly proves?: readonly string[];
  /** The result in a sentence, if its response does not say it or could be misunderstood. */
  readonly tells?: (answer: unknown, request: Readonly<Record<string, unknown>>) => string | undefined;
  /** A request, or the part of one that cannot be derived, which a faithful service accepts; for checks of a service. */
  readonly sample?: Readonly<Record<string, unknown>>;
  /** The command groups of records that it may create along the way, as a faithful service does from an address. */
  readonly alsoCreates?: readonly string[];
  /** An example response, shown if a service reports that it is unimplemented. */
  readonly illustration?: Readonly<Record<string, unknown>>;
  /** What to show a person besides the record's own fields. */
  readonly shows?: Pick<View, 'columns' | 'beside'>;
  /** For a delete: what goes with its record. Deleting the record as the undo of its creation leaves it, if there is any. */
  readonly holds?: readonly Holding[];
  /** Whether it removes something without deleting a record, as a cancel does; a person is asked before it is sent. */
  readonly destructive?: boolean;
  /** Whether it costs money: it hands a parcel to a carrier, or calls a driver. */
  readonly costs?: boolean;
  /** Whether no agent may call it, because it says where data are sent. */
  readonly peopleOnly?: boolean;
}

/** What a record is before it is ended, and what will become of it. */
export interface BeforeEnd {
  /** The record in a line: its name, state and money. */
  readonly subject: string;
  /** What will happen to it, a sentence without a full stop. */
  readonly effect: string;
  /** Why only a part of it can be ended, and what goes on; undefined where all of it can. */
  readonly goesOn?: string;
  /** Why it cannot be ended alone, and what would end with it; undefined where nothing would, or something goes on. */
  readonly endsToo?: string;
}

/** Declares an operation; an identity function, for type inference. */
export function operation<Request extends z.ZodObject, Response extends z.ZodObject>(
  declaration: Operation<Request, Response>,
): Operation<Request, Response> {
  return declaration;
}

/** The path of an operation below the base url (contract, "Endpoints"). */
export function operationPath(id: OperationId): string {
  return `/v1/${id}`;
}

/** The request type of an operation. */
export type RequestOf<O extends Operation> = z.input<O['request']>;

/** The request that a handler receives, after validation. */
export type CheckedRequestOf<O extends Operation> = z.output<O['request']>;

/** The response type of an operation. */
export type ResponseOf<O extends Operation> = z.output<O['response']>;
