import { describe, expect, it } from 'vitest';
import { call } from '../../src/client/call.ts';
import type { TraceEvent } from '../../src/client/connection.ts';
import { type CallError, NetworkError, OutcomeUnknownError, ServiceError } from '../../src/client/errors.ts';
import { recordIn } from '../../src/client/settle/found-record.ts';
import { type Lost, settleLost, type Verdict } from '../../src/client/settle/settle-lost.ts';
import { GetCustomer } from '../../src/contract/shop/customer.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { json, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

const cut = () => new OutcomeUnknownError('shop.Order/CreateOrder', 'cut off');
const refused = (code: string, meta: Readonly<Record<string, string>> = {}) =>
  new ServiceError('shop.Order/CreateOrder', { code, msg: code, meta, status: 409, outcome: 'not_applied' });
const again = { next: 'send', reason: 'not found' } as const;
const look = { next: 'look', reason: 'not found yet' } as const;

/** Settles a lost write by what is found and what comes of sending it, in turn; with everything that was done. */
async function settled(
  found: readonly Verdict<string>[],
  sent: readonly ({ readonly end: string } | CallError)[],
  more: Partial<Lost<string>> = {},
) {
  const did: string[] = [];
  const [verdicts, answers] = [[...found], [...sent]];
  const result = await settleLost<string>({
    rounds: 2,
    async look(round) {
      did.push(`look ${round}`);
      return verdicts.shift() ?? again;
    },
    async send() {
      did.push('send');
      return answers.shift() ?? cut();
    },
    async wait(round) {
      did.push(`wait ${round}`);
    },
    ...more,
  });
  return { result, did };
}

describe('a write whose answer was lost', () => {
  it('is looked up, and sent again after a wait, for as many rounds as it has', async () => {
    const { result, did } = await settled([], []);
    expect(did).toEqual(['look 0', 'wait 0', 'send', 'look 1', 'wait 1', 'send', 'look 2']);
    expect(result).toEqual({ state: 'unclear', reason: 'not found' });
  });

  it('is only looked up again, after a wait, where sending it may do harm', async () => {
    const { result, did } = await settled([look, look, { end: 'it' }], []);
    expect(did).toEqual(['look 0', 'wait 0', 'look 1', 'wait 1', 'look 2']);
    expect(result).toEqual({ state: 'settled', end: 'it' });
  });

  it('is settled by what is found, and by an answer when it is sent again', async () => {
    expect(await settled([{ end: 'it' }], [])).toEqual({ result: { state: 'settled', end: 'it' }, did: ['look 0'] });
    expect((await settled([], [new NetworkError('x', 'refused', 'no'), { end: 'new' }])).result).toEqual({
      state: 'settled',
      end: 'new',
    });
  });

  it.each([
    [
      'its name is taken by itself',
      [again, { end: 'it' }],
      refused('already_exists', { duplicated: 'external_id' }),
      'settled',
    ],
    [
      'its name is taken by another one',
      [again, again],
      refused('already_exists', { duplicated: 'external_id' }),
      'unclear',
    ],
    ['another name is taken', [again, again], refused('already_exists', { duplicated: 'code' }), 'refused'],
    ['it is wrong itself', [again, again], refused('invalid_argument'), 'refused'],
    ['it is wrong itself, and is there', [again, { end: 'it' }], refused('invalid_argument'), 'settled'],
    ['it is refused for now', [again], refused('aborted'), 'unclear'],
  ] as const)('is judged by a refusal of the second one: %s', async (_, found, refusal, state) => {
    expect((await settled(found, [refusal], { unique: 'external_id' })).result.state).toBe(state);
  });
});

it('a record is found in an answer beside fields that are none', () => {
  const record = { id: '1', external_id: 'A' };
  for (const answer of [record, { order: record }, { note: null, paging: 'x', list: [], order: record }]) {
    expect([recordIn(answer), recordIn(answer, 'A'), recordIn(answer, 'B')]).toEqual([record, record, undefined]);
  }
  for (const answer of [null, undefined, 'x', [], {}, { order: { id: 1 } }]) expect(recordIn(answer)).toBeUndefined();
});

it('a trace has each attempt: what was sent, what failed, the wait and what came', async () => {
  const traced: TraceEvent[] = [];
  const { transport } = scripted(new TransportError('closed', 'maybe', 'lost'), json(200, { id: '1' }));
  await call(GetCustomer, { id: '1' }, testConnection(transport, { trace: (event) => traced.push(event) }));
  expect(traced.map(({ event, facts }) => [event, facts])).toEqual([
    ['request', expect.objectContaining({ url: expect.stringContaining('GetCustomer'), body_characters: 10 })],
    ['failure', { failure: 'closed', sent: 'maybe', milliseconds: expect.any(Number) }],
    ['retry', { attempt: 1, delay_ms: 125 }],
    ['request', expect.anything()],
    ['response', expect.objectContaining({ status: 200, body_characters: 10 })],
  ]);
});
