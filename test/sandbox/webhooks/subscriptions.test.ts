import { describe, expect, it } from 'vitest';
import { scriptedReceiver } from '../../support/receiver.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

const url = 'http://127.0.0.1:9/hook';

/** The same operations by a partner's key and by a shop's. */
const families = [
  ['partner', ({ partner }: TestSandbox) => partner.apiKey],
  ['shop', ({ shop }: TestSandbox) => shop.apiKey],
] as const;

describe.each(families)('%s.Webhook', (family, keyOf) => {
  const create = `${family}.Webhook/CreateWebhook`;
  const list = `${family}.Webhook/GetWebhooks`;
  const remove = `${family}.Webhook/DeleteWebhook`;

  it('registers a webhook, shows it and deletes it', async () => {
    const opened = await openTestSandbox({ deliver: scriptedReceiver().deliver });
    const { post } = opened;
    const key = keyOf(opened);
    const made = await post(create, { url, entities: ['order', 'fulfillment'], fields: [], metadata: 'mine' }, key);
    expect(made).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^\d{19}$/),
        url,
        entities: ['order', 'fulfillment'],
        fields: [],
        metadata: 'mine',
        created_at: '2026-01-31T08:00:00Z',
        states: { state: 'ok', last_sent_at: null, last_error: null },
      },
    });
    const other = await post(create, { url, entities: ['order'] }, key);
    expect(other.body.metadata).toBeNull();
    expect((await post(list, {}, key)).body).toEqual({ webhooks: [made.body, other.body] });
    expect(await post(remove, { id: made.body.id }, key)).toEqual({ status: 200, body: { webhooks: [other.body] } });
    expect((await post(list, {}, key)).body).toEqual({ webhooks: [other.body] });
  });

  it('refuses a bad url, entities that are none, missing or named twice, and fields, with 400', async () => {
    const opened = await openTestSandbox();
    const good = { url, entities: ['order'] };
    const bad: [string, object][] = [
      ['url', { ...good, url: '' }],
      ['url', { ...good, url: 'hook' }],
      ['url', { ...good, url: 'ftp://127.0.0.1/' }],
      ['url', { ...good, url: 'http://shop:secret@127.0.0.1/' }],
      ['url', { ...good, url: undefined }],
      ['entities', { ...good, entities: [] }],
      ['entities', { ...good, entities: undefined }],
      ['entities[1]', { ...good, entities: ['order', 'orders'] }],
      ['entities[2]', { ...good, entities: ['order', 'customer', 'order'] }],
      ['fields', { ...good, fields: ['order.id'] }],
    ];
    for (const [field, request] of bad) {
      const { status, body } = await opened.post(create, request, keyOf(opened));
      expect({ status, code: body.code, field: body.meta?.field }).toEqual({
        status: 400,
        code: 'invalid_argument',
        field,
      });
    }
    expect((await opened.post(list, {}, keyOf(opened))).body).toEqual({ webhooks: [] });
  });

  it('refuses a url that leads out of this machine, unless its host was allowed', async () => {
    const opened = await openTestSandbox({ allowHosts: ['Hooks.Example', '[2001:db8::1]'] });
    const register = async (target: string) =>
      (await opened.post(create, { url: target, entities: ['order'] }, keyOf(opened))).status;
    for (const host of [
      'example.com',
      '192.0.2.1',
      '127.0.0.1.example',
      'localhost.example',
      '[2001:db8::2]',
      '0.0.0.0',
    ]) {
      expect([host, await register(`http://${host}/`)]).toEqual([host, 400]);
    }
    for (const host of ['localhost:8080', '[::1]:80', '127.9.9.9', 'hooks.example:444', '[2001:db8::1]']) {
      expect([host, await register(`https://${host}/`)]).toEqual([host, 200]);
    }
  });

  it('refuses a sixth webhook of an account with 412, and takes it when one is gone', async () => {
    const opened = await openTestSandbox();
    const key = keyOf(opened);
    const register = () => opened.post(create, { url, entities: ['order'] }, key);
    const made = [];
    for (let count = 0; count < 5; count += 1) made.push(await register());
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await register()).toMatchObject({ status: 412, body: { code: 'failed_precondition' } });
    expect((await opened.post(create, { url: 'x', entities: ['order'] }, key)).status).toBe(400);
    await opened.post(remove, { id: made[2]?.body.id }, key);
    expect((await register()).status).toBe(200);
  });

  it('knows no webhook of another account', async () => {
    const opened = await openTestSandbox();
    const { body: foreign } = await opened.post(
      'shop.Webhook/CreateWebhook',
      { url, entities: ['order'] },
      opened.otherShop.apiKey,
    );
    for (const id of [foreign.id, '1']) {
      const { status, body } = await opened.post(remove, { id }, keyOf(opened));
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await opened.post(list, {}, keyOf(opened))).body).toEqual({ webhooks: [] });
  });
});

describe('the hosts that are allowed', () => {
  it('must be host names', async () => {
    for (const name of ['http://hooks.example', 'hooks.example/x', 'hooks.example:80', '']) {
      await expect(openTestSandbox({ allowHosts: [name] })).rejects.toThrow('not a host name');
    }
  });
});
