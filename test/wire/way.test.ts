import { expect, test } from 'vitest';
import { proxyFor, proxyVariables } from '../../src/platform/http/proxy.ts';
import { transportError } from '../../src/platform/http/transport.ts';

const failed = (code: string, message = 'why') => Object.assign(new Error(message), { code });
const way = { host: 'shop.example' };

test.each([
  ['ECONNREFUSED', 'refused'],
  ['ENETUNREACH', 'refused'],
  ['ENOTFOUND', 'unresolved'],
  ['EAI_AGAIN', 'unresolved'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'plain'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls'],
  ['ECONNRESET', 'closed'],
  ['UND_ERR_SOCKET', 'closed'],
])('%s before the first byte is %s and was not sent', (code, failure) => {
  expect(transportError(failed(code), false, way)).toMatchObject({ failure, sent: 'no' });
});

test('whatever comes after the first byte may have been sent', () => {
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT', 'ECONNREFUSED', '']) {
    expect(transportError(failed(code), true, way).sent).toBe('maybe');
  }
});

test('a proxy takes the blame for the way to it, not for the certificate behind it', () => {
  const proxied = { ...way, proxy: '127.0.0.1:3128' };
  expect(transportError(failed('ECONNREFUSED'), false, proxied).failure).toBe('proxy');
  expect(transportError(failed('CERT_HAS_EXPIRED'), false, proxied).failure).toBe('tls');
  expect(transportError(failed('ECONNRESET'), true, proxied).failure).toBe('closed');
});

test('an error of OpenSSL is told in its words, and a dead proxy as what it is', () => {
  const raw = '80CC:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../ssl/rec.c:1586:\n';
  const { message } = transportError(failed('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', raw), false, way);
  expect(message).toBe(
    'no secure connection to shop.example: sslv3 alert handshake failure (ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE)',
  );
  const proxied = { ...way, proxy: '127.0.0.1:3128' };
  expect(transportError(failed('ECONNREFUSED'), false, proxied).message).toBe(
    'no connection to the proxy 127.0.0.1:3128 (ECONNREFUSED)',
  );
});

test('proxies come from the variables, the lower-case ones first', () => {
  const variables = proxyVariables({
    HTTPS_PROXY: 'http://a:1',
    https_proxy: 'http://b:2',
    NO_PROXY: '',
    HTTP_PROXY: '',
  });
  expect(variables).toEqual({ https: 'http://b:2', http: undefined, no: undefined });
});

test.each([
  ['https://shop.example/', '', true],
  ['https://shop.example/', '*', false],
  ['https://shop.example/', 'other.example, shop.example', false],
  ['https://api.shop.example/', '.shop.example', false],
  ['https://api.shop.example/', '*.shop.example', false],
  ['https://api.shop.example/', 'SHOP.example', false],
  ['https://myshop.example/', 'shop.example', true],
  ['https://shop.example/', 'shop.example:443', false],
  ['https://shop.example:8443/', 'shop.example:443', true],
  ['https://[2001:db8::1]/', '[2001:db8::1]', false],
  ['https://[fd00::1]/', 'fd00::1', false],
  ['https://[fd00::1]/', 'FD00:0::1', false],
  ['https://[fd00::1]:8443/', '[fd00::1]:443', true],
  ['https://[fd00::1]/', 'fd00::2', true],
  ['https://[fd00::1]/', 'fd00::/8', false],
  ['https://[fe80::1]/', 'fd00::/8', true],
  ['https://10.255.255.1/', '10.0.0.0/8', false],
  ['https://10.255.255.1/', '10.255.255.1', false],
  ['https://11.0.0.1/', '10.0.0.0/8', true],
  ['https://11.0.0.1/', '10.0.0.0/', true],
  ['https://[fd00::1]/', 'fe80::/', true],
  ['https://10.0.0.1/', '10.0.0.0/99', true],
  ['https://shop.example/', '10.0.0.0/8', true],
  ['https://shop.example/', 'shop.example.', false],
  ['https://shop.example./', 'shop.example', false],
  ['https://api.shop.example/', '..shop.example', false],
  ['https://shop.example/', '.', true],
  ['https://localhost:4010/', '', false],
  ['https://127.0.0.1/', '', false],
  ['https://[::1]/', '', false],
  ['http://shop.example/', '', false],
])('%s with NO_PROXY=%j goes through the proxy: %s', (url, no, through) => {
  expect(proxyFor(new URL(url), { https: 'http://proxy:3128', no }) !== undefined).toBe(through);
});
