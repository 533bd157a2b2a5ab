import { type Answer, openTestSandbox, type TestSandbox } from './sandbox.ts';

/** A sandbox with two shops, each of which calls `shop.*` operations with its own key. */
export interface ShopCalls extends TestSandbox {
  /** Calls an operation such as `Customer/GetCustomer` as the first shop. */
  own(operation: string, body: unknown): Promise<Answer>;
  /** The same as the second shop. */
  other(operation: string, body: unknown): Promise<Answer>;
  /** Like `own`, for a call that must succeed; answers its body. */
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer
  made(operation: string, body: unknown): Promise<any>;
  /** The names of the changes that some work records, such as `customer create`. */
  recorded(work: () => Promise<unknown>): Promise<string[]>;
}

/** Opens a sandbox for tests of the shop family. */
export async function openShopCalls(): Promise<ShopCalls> {
  const test = await openTestSandbox();
  const own: ShopCalls['own'] = (operation, body) => test.post(`shop.${operation}`, body, test.shop.apiKey);
  return {
    ...test,
    own,
    other: (operation, body) => test.post(`shop.${operation}`, body, test.otherShop.apiKey),
    async made(operation, body) {
      const answer = await own(operation, body);
      if (answer.status !== 200) throw new Error(`${operation} answered ${JSON.stringify(answer)}`);
      return answer.body;
    },
    async recorded(work) {
      const before = (await test.changes()).length;
      await work();
      return (await test.changes()).slice(before).map(({ name }) => name);
    },
  };
}
