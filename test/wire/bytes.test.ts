import { afterEach, expect, test } from 'vitest';
import { call, callRaw } from '../../src/client/call.ts';
import { GetShippingServices } from '../../src/contract/partner/shipping.ts';
import { GetCustomer } from '../../src/contract/shop/customer.ts';
import { createTransport, type OpenTransport } from '../../src/platform/http/undici-transport.ts';
import { httpAnswer, type RawServer, rawServer } from '../support/raw-server.ts';
import { CANARY, testConnection } from '../support/test-connection.ts';

let server: RawServer;
let open: OpenTransport;

afterEach(async () => {
  await open.close();
  await server.close();
});

async function connected(body: string) {
  server = await rawServer((socket) => socket.write(httpAnswer(200, body)));
  open = createTransport();
  return testConnection(open.transport, { baseUrl: server.origin });
}

test('a call is these bytes and no others', async () => {
  const connection = await connected('{"services":[]}');
  await call(
    GetShippingServices,
    {
      pickup_address: { province: 'Đà Nẵng', district: 'Liên Chiểu', ward: null },
      shipping_address: { province: 'Hà Nội', district: 'Cầu Giấy' },
      basket_value: null,
      cod_amount: 0,
    },
    connection,
  );
  const body =
    '{"pickup_address":{"province":"Đà Nẵng","district":"Liên Chiểu"},"shipping_address":{"province":"Hà Nội","district":"Cầu Giấy"},"cod_amount":0}';
  expect(server.requests).toEqual([
    [
      'POST /v1/partner.Shipping/GetShippingServices HTTP/1.1',
      `host: 127.0.0.1:${server.port}`,
      'connection: keep-alive',
      `authorization: Bearer ${CANARY}`,
      'content-type: application/json',
      'accept: application/json',
      'user-agent: shopctl/test',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  ]);
});

test('a raw call sends its text as it stands and reads ids with all their digits', async () => {
  const connection = await connected('{"id":9223372036854775807,"full_name":"Lan","new_field":1}');
  const text = '{ "id": 9223372036854775807,\t"unknown": 1e3 }';
  const target = { id: GetCustomer.id, credential: GetCustomer.credential, operation: GetCustomer };
  expect(await callRaw(target, text, connection)).toEqual({
    id: '9223372036854775807',
    full_name: 'Lan',
    new_field: 1,
  });
  expect(server.requests[0]?.split('\r\n\r\n')[1]).toBe(text);
});

test('a raw call of an operation that the contract lacks passes any JSON on', async () => {
  const connection = await connected('[1,{"code":"A1"}]');
  const target = { id: 'shop.New/DoThat', credential: 'shop-api-key' } as const;
  expect(await callRaw(target, '{}', connection)).toEqual([1, { code: 'A1' }]);
  expect(server.requests[0]).toContain('POST /v1/shop.New/DoThat HTTP/1.1\r\n');
});

test('a base url may have a path and a trailing slash', async () => {
  const connection = { ...(await connected('{}')), baseUrl: `${server.origin}/api/` };
  await call(GetCustomer, { id: '1' }, connection);
  expect(server.requests[0]).toContain('POST /api/v1/shop.Customer/GetCustomer HTTP/1.1\r\n');
});
