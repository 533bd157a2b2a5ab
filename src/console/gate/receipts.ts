import { newId } from '../../platform/process/new-id.ts';

/** Results that no page has acknowledged; older ones are told once more when the same is sent again. */
const KEPT_AT_MOST = 1_000;

/** Receipts by which pages say that they have shown a result. */
export function receipts() {
  const waiting = new Map<string, () => Promise<void>>();
  return {
    receiptFor(whenTold: () => Promise<void>): string {
      const receipt = newId();
      waiting.set(receipt, whenTold);
      const [oldest] = waiting.keys();
      if (waiting.size > KEPT_AT_MOST && oldest !== undefined) waiting.delete(oldest);
      return receipt;
    },
    async told(receipt: string): Promise<void> {
      const whenTold = waiting.get(receipt);
      waiting.delete(receipt);
      await whenTold?.();
    },
  };
}
