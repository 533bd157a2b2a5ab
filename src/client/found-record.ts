import type { Operation } from '../contract/operation.ts';
import { isRecord } from '../domain/value-at.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The record of an answer, itself or one level down: the first with an id, or with this external id where one is given. */
export function recordIn(answer: unknown, externalId?: string): Fields | undefined {
  const isIt = ({ id, external_id }: Fields) =>
    externalId === undefined ? typeof id === 'string' : external_id === externalId;
  return isRecord(answer) ? [answer, ...Object.values(answer)].filter(isRecord).find(isIt) : undefined;
}

/** A cancelled, returned or deleted record has given its names back (decisions, section 7, uniqueness). */
export function isOver({ status, cancelled_at, deleted }: Fields): boolean {
  return status === 'N' || status === 'NS' || Boolean(cancelled_at) || deleted === true;
}

/** A record that was confirmed by nobody and has no shipment, where the create should have done both. */
export function isHalfDone(operation: Operation, answer: Fields, record: Fields): boolean {
  if (!Object.hasOwn(operation.response.shape, 'fulfillments') || record.confirm_status !== 'Z') return false;
  return Array.isArray(answer.fulfillments) && answer.fulfillments.length === 0;
}
