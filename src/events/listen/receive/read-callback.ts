import { createHash } from 'node:crypto';
import { isTooDeep } from '../../../domain/json/depth.ts';
import { parseJson } from '../../../domain/json/json.ts';
import { fieldsIn, isRecord } from '../../../domain/json/value-at.ts';
import type { IncomingCallback, IncomingChange } from '../../store/store-changes.ts';
import { stateOf } from './record-state.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Records without an id of their own, and the ids that identify them. */
const idsOf: Readonly<Record<string, readonly string[]>> = {
  inventory_level: ['variant_id'],
  customer_group_relationship: ['customer_id', 'group_id'],
  product_collection_relationship: ['collection_id', 'product_id'],
};

/** Ten times what a service sends at once (decisions, section 8). */
const MOST_CHANGES = 10_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A delivery's body in the form to be stored, or undefined if it is not a Callback (contract, "Change (event
 * payload)"). Unknown entities and fields are let through.
 */
export function readCallback(hook: string, body: Uint8Array, receivedAt: string): IncomingCallback | undefined {
  let callback: unknown;
  try {
    const text = utf8.decode(body);
    if (isTooDeep(text)) return undefined;
    callback = parseJson(text);
  } catch {
    return undefined;
  }
  if (!isRecord(callback) || !Array.isArray(callback.changes)) return undefined;
  if (callback.changes.length > MOST_CHANGES) return undefined;
  const changes: IncomingChange[] = [];
  for (const change of callback.changes) {
    const read = readChange(change, receivedAt);
    if (read === undefined) return undefined;
    changes.push(read);
  }
  return { hook, sequence: hash(changes.map(({ text }) => text)), changes, receivedAt };
}

function readChange(change: unknown, receivedAt: string): IncomingChange | undefined {
  if (!isRecord(change)) return undefined;
  const { entity, change_type: changeType, time } = change;
  if (typeof entity !== 'string' || typeof changeType !== 'string') return undefined;
  const record = recordOf(change, entity);
  const own = Object.hasOwn(idsOf, entity) ? idsOf[entity] : undefined;
  const ids = (own ?? ['id']).map((name) => textOf(record[name]));
  const recordId = ids.join('-');
  const text = JSON.stringify(change);
  const when = typeof time === 'string' ? time : receivedAt;
  // A relationship can be created and deleted repeatedly, so neither happens only once.
  const once = (changeType === 'create' || changeType === 'delete') && ids.length === 1 && recordId !== '';
  const content = once ? hash([entity, changeType, recordId, when]) : hash([text]);
  const state = () => stateOf(fieldsIn(fieldsIn(change.latest)[entity]), changeType === 'delete');
  const shopId = textOf(record.shop_id) || null;
  return { entity, changeType, recordId, shopId, time: when, content, once, text, state };
}

/** The record of a change: the complete one if it was sent, otherwise the changed fields. */
function recordOf({ latest, changed }: Fields, entity: string): Fields {
  const in_ = (holder: unknown) => fieldsIn(fieldsIn(holder)[entity]);
  return { ...in_(changed), ...in_(latest) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function hash(parts: readonly string[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('base64url').slice(0, 32);
}
