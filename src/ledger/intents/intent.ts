import type { Account } from '../../client/account.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import { isRecord } from '../../domain/json/values.ts';
import { newId } from '../../platform/process/new-id.ts';
import { accountIn, ledgerAccount } from '../identity.ts';
import type { OrderDraft } from '../order-draft.ts';
import type { IntentState, StoredIntent } from '../store/intents.ts';
import type { Answer } from './answers.ts';

/** Where an intent is sent: the same order under another account is a different order. */
export interface IntentTarget {
  /** The operation that creates it. */
  readonly operation: OperationId;
  readonly base_url: string;
  readonly account: Account;
}

/** The service that the user agreed to. */
export interface AcceptedService {
  readonly code: string;
  readonly fee: number;
}

/** What is forgotten with an intent, and what the wizard replays. */
interface Body {
  readonly version: 1;
  readonly target: IntentTarget;
  readonly created_at: string;
  /** The name that it is sent under; empty until it is sent, or where the operation takes none. */
  readonly external_id: string;
  /** Whether it started from a complete order rather than from questions about everything. */
  readonly from_input: boolean;
  /** The record as it was given. */
  readonly order: OrderDraft;
  /** The answers given since, in order. */
  readonly answers: readonly Answer[];
  readonly accepted?: AcceptedService | undefined;
  /** The complete request that is being sent or was sent. */
  readonly request?: OrderDraft | undefined;
  /** The service's answer, unless it is too large to keep. */
  readonly answer?: unknown;
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
}

/** One write that somebody wants: a create of a single command, or a draft of the wizard. */
export interface Intent extends Body {
  readonly id: string;
  readonly state: IntentState;
  readonly resource: string;
  /** The digest of its identity; null until it is known what is sent. */
  readonly identity: string | null;
  readonly order_id?: string | undefined;
  readonly attempts: number;
  readonly updated_at: string;
  /** When stdout had taken the last byte of its answer; undefined if nobody was told. */
  readonly reported_at?: string | undefined;
}

/** Whether an intent may have created a record that was not reported to anyone. */
export function isUnsettled({ state, reported_at }: Pick<Intent, 'state' | 'reported_at'>): boolean {
  return state === 'sending' || state === 'unclear' || (state === 'done' && reported_at === undefined);
}

/** An intent that is not stored yet. */
export function newIntent(
  target: IntentTarget,
  { now, resource, order, from_input }: { now: number; resource: string; order: OrderDraft; from_input: boolean },
): Intent {
  const at = new Date(now).toISOString();
  return {
    version: 1,
    id: newId().slice(0, 10),
    state: 'open',
    resource,
    identity: null,
    external_id: order.external_id ?? '',
    target,
    created_at: at,
    updated_at: at,
    from_input,
    order,
    answers: [],
    attempts: 0,
  };
}

/** An intent as it is stored. */
export function stored(intent: Intent, at: number): StoredIntent {
  const { id, state, resource, identity, order_id = null, attempts, updated_at: _, reported_at, ...body } = intent;
  const { account, operation } = body.target;
  const own = { id, account: ledgerAccount(account), resource, identity, operation, state, record_id: order_id };
  return {
    ...own,
    attempts,
    updated_at: at,
    reported_at: reported_at === undefined ? null : Date.parse(reported_at),
    body: JSON.stringify(body),
  };
}

/** Whether a value read from JSON is what an intent consists of, but for its state. */
export function isIntentBody(value: unknown): value is Body {
  if (!isRecord(value)) return false;
  const { version, target, order, answers } = value;
  return version === 1 && isRecord(target) && isRecord(target.account) && isRecord(order) && Array.isArray(answers);
}

/** A stored intent; throws a TypeError if its body was forgotten. */
export function restored(row: StoredIntent): Intent {
  const body: unknown = JSON.parse(row.body);
  if (!isIntentBody(body)) throw new TypeError(`intent ${row.id} is forgotten`);
  const { account, operation: _, body: __, record_id, updated_at, reported_at, ...own } = row;
  const { origin, shop } = accountIn(account);
  return {
    ...body,
    // Its service may be known by another name by now.
    target: { ...body.target, account: { ...body.target.account, origin, shop } },
    ...own,
    updated_at: new Date(updated_at).toISOString(),
    ...(record_id === null ? {} : { order_id: record_id }),
    ...(reported_at === null ? {} : { reported_at: new Date(reported_at).toISOString() }),
  };
}
