import type { Clock } from '../../../platform/process/clock.ts';
import type { Deliver } from './delivery/deliver.ts';
import { KEPT_BYTES } from './delivery/verdict.ts';

/** The payload and the answer of one delivery. */
export interface StoredDelivery {
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** The beginning of the answer; null if there was none, or not yet. */
  answer: string | null;
  /** How long the answer took; null before. */
  tookMs: number | null;
}

/** The newest deliveries of this run, complete, by their callback ids. */
export interface StoredDeliveries {
  /** A `Deliver` that records what it sends. */
  readonly deliver: Deliver;
  of(callbackId: string): StoredDelivery | undefined;
  /** The callback ids of those whose payload has this id, the newest first. */
  naming(id: string): readonly string[];
}

const MOST_KEPT = 200;
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The id comes first in every body that we write. */
const idOf = (body: string) => /^\{"id":"(\d+)"/.exec(body)?.[1] ?? '';

/** The same delivery under another callback id. */
export function underId(body: string, callbackId: string): string {
  return body.replace(/^\{"id":"\d+"/, `{"id":"${callbackId}"`);
}

/** Records deliveries, limited in number and in characters. */
export function storeDeliveries(deliver: Deliver, { now }: Pick<Clock, 'now'>): StoredDeliveries {
  const kept = new Map<string, StoredDelivery>();
  let characters = 0;
  const drop = () => {
    for (const [id, { body }] of kept) {
      if (kept.size <= 1 || (kept.size <= MOST_KEPT && characters <= MOST_CHARACTERS)) return;
      kept.delete(id);
      characters -= body.length;
    }
  };
  return {
    async deliver(delivery) {
      const { url, body } = delivery;
      const one: StoredDelivery = { url, body, answer: null, tookMs: null };
      const id = idOf(body);
      characters += body.length - (kept.get(id)?.body.length ?? 0);
      kept.delete(id);
      kept.set(id, one);
      drop();
      const began = now();
      const answer = await deliver(delivery).finally(() => {
        one.tookMs = now() - began;
      });
      one.answer = new TextDecoder().decode(answer.body.subarray(0, KEPT_BYTES));
      return answer;
    },
    of: (callbackId) => kept.get(callbackId),
    naming: (id) =>
      [...kept].flatMap(([callbackId, { body }]) => (body.includes(`"${id}"`) ? [callbackId] : [])).reverse(),
  };
}
