import type { WireResponse } from '../../src/platform/http/transport.ts';
import type { Deed } from './proxy.ts';
import type { Machine } from './stage.ts';

const json = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

const error = (status: number, code: string, headers?: Readonly<Record<string, string>>) =>
  json(status, JSON.stringify({ code, msg: 'says the proxy' }), headers);

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Lets the service do it, and answers something else. */
const committed =
  (answer: WireResponse | ((real: WireResponse) => WireResponse)): Deed =>
  async (way) => {
    const real = await way.deliver();
    way.answer(typeof answer === 'function' ? answer(real) : answer);
  };

/** What can befall a write on its way, by what is told of it in the table. */
export const callbacks = {
  'its answer': async (way) => way.answer(await way.deliver()),
  'nothing: the connection closed before the service had it': async (way) => way.drop(),
  'nothing: the connection closed after it was done': async (way) => {
    await way.deliver();
    way.drop();
  },
  'half of its answer': async (way) => way.drop((await way.deliver()).body.slice(0, 40)),
  'the answer of its second delivery': async (way) => {
    await way.deliver();
    way.answer(await way.deliver());
  },
  'nothing within the time limit': async (way) => {
    await way.deliver();
    await way.gone;
  },
  'a page of HTML, with 200': committed({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Hello</h1>',
  }),
  'fields of wrong types, with 200': committed(json(200, '{"order":5,"id":{},"updated":"many"}')),
  'its answer, with an unknown field 6,000 levels deep': committed((real) => ({
    ...real,
    body: real.body.replace(/^\{/, () => `{"deep":${nested(6_000)}${real.body === '{}' ? '' : ','}`),
  })),
  'its answer, with 40 MB in an unknown field': committed((real) => ({
    ...real,
    body: real.body.replace(/^\{/, () => `{"huge":[${'{},'.repeat(13_000_000)}1]${real.body === '{}' ? '' : ','}`),
  })),
  '500 internal': committed(error(500, 'internal')),
  '408 without a code': committed({ status: 408, headers: {}, body: '' }),
  '302': committed({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }),
  '403 of a gateway': committed({ status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Blocked</h1>' }),
  '502 of a gateway': committed({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Bad gateway</h1>',
  }),
  '503 unavailable with Retry-After, after it was done': committed(error(503, 'unavailable', { 'retry-after': '0' })),
  '429, after it was done': committed(error(429, 'resource_exhausted', { 'retry-after': '0' })),
  '400 with meta 6,000 levels deep': async (way) =>
    way.answer(json(400, `{"code":"invalid_argument","msg":"no","meta":{"why":${nested(6_000)}}}`)),
} satisfies Readonly<Record<string, Deed>>;

export type DeedName = keyof typeof callbacks;

/** What can fail on this machine after the answer was read. */
export const failures = {
  '-': undefined,
  'the disk is full': (machine: Machine) => machine.breakDisk('ENOSPC'),
  'the disk is read-only': (machine: Machine) => machine.breakDisk('EROFS'),
  'stdout is full': undefined,
  'every lookup': undefined,
} as const;

export type FailureName = keyof typeof failures;
