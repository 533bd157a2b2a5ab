import { type ScriptedReceiver, scriptedReceiver } from '../../support/receiver.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

/** A sandbox whose deliveries end in the test. */
export interface WebhookSandbox extends TestSandbox {
  readonly receiver: ScriptedReceiver;
  /** Registers a webhook, the first shop's own unless another key is given; answers its id. */
  register(entities: readonly string[], options?: { key?: string; url?: string }): Promise<string>;
  /** Makes customer groups of these names in one transaction, the first shop's unless another is given. */
  makeGroups(names: readonly string[], shopId?: string): Promise<void>;
  /** Moves the business clock, from one due moment to the next. */
  advance(by: string): Promise<void>;
  /** What GetWebhooks answers, the first shop's unless another key is given. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service, read by the test
  webhooks(key?: string): Promise<any[]>;
  /** The names of the groups in each delivery so far. */
  delivered(): unknown[][];
}

/** Opens a sandbox for tests of deliveries. */
export async function openWebhookSandbox(options: Parameters<typeof openTestSandbox>[0] = {}): Promise<WebhookSandbox> {
  const receiver = scriptedReceiver();
  const opened = await openTestSandbox({ deliver: receiver.deliver, ...options });
  const { core, sandbox, shop, post } = opened;
  const familyOf = (key: string) => (key === opened.partner.apiKey ? 'partner' : 'shop');
  return {
    ...opened,
    receiver,
    async register(entities, { key = shop.apiKey, url = 'http://127.0.0.1:9/hook' } = {}) {
      const { body } = await post(`${familyOf(key)}.Webhook/CreateWebhook`, { url, entities }, key);
      return String(body.id);
    },
    makeGroups: (names, shopId = shop.id) =>
      core.write((work) => {
        for (const name of names) work.records('customer_group', shopId).insert({ name });
      }),
    async advance(by) {
      await sandbox.control.clock.advance(by, { untilIdle: true });
    },
    webhooks: async (key = shop.apiKey) => (await post(`${familyOf(key)}.Webhook/GetWebhooks`, {}, key)).body.webhooks,
    delivered: () => receiver.deliveries.map(({ changes }) => changes.map(({ latest }) => latest.customer_group?.name)),
  };
}
