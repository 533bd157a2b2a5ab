import { expect, it } from 'vitest';
import { printTable } from '../../../src/cli/print/table.ts';
import * as operations from '../../../src/contract/control/operations.ts';
import { okAnswer } from '../../support/receiver.ts';
import { memorySink } from '../../support/sinks.ts';
import { openWebhookSandbox } from './webhook-sandbox.ts';

/** Receivers of each kind, by the end of their addresses. */
const receivers: Readonly<Record<string, Error | ReturnType<typeof okAnswer>>> = {
  ok: okAnswer(),
  wrong: { status: 500, body: Buffer.from('<html>boom</html>') },
  elsewhere: { status: 302, body: Buffer.from('') },
  hangs: new Error('no answer within 60 s'),
};

it('the attempts of receivers of every kind can be told apart on a terminal of 80 columns, and what they came to', async () => {
  const { sandbox, register, makeGroups, advance, receiver } = await openWebhookSandbox();
  const kinds = Object.keys(receivers);
  for (const kind of kinds) await register(['customer_group'], { url: `http://127.0.0.1:4999/hooks/${kind}` });
  receiver.answer(async ({ url }) => {
    const answer = receivers[url.split('/').at(-1) ?? ''];
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  });
  await makeGroups(['one']);
  await advance('40s');
  const { deliveries } = await sandbox.control.deliveries();
  expect(deliveries).toHaveLength(7);
  const { view } = operations.deliveries;
  if (view === undefined) throw new Error('it has no view');
  const settings = { format: 'table', colour: false, quiet: false, utc: true } as const;
  const narrow = memorySink({ columns: 80 });
  await printTable(deliveries, view, { ...settings, columns: 80, terminal: true }, narrow);
  const [head = '', ...lines] = narrow.text.trimEnd().split('\n');
  for (const column of ['CALLBACK_ID', 'URL', 'OUTCOME', 'STATUS', 'ERROR']) expect(head).toContain(column);
  for (const line of [head, ...lines]) expect(line.length).toBeLessThanOrEqual(80);
  for (const [kind, reported] of [
    ['ok', / ok +200/],
    ['wrong', / failed +500/],
    ['elsewhere', / failed +302/],
    ['hangs', / failed +0 +no answer/],
  ] as const) {
    const own = lines.filter((line) => line.includes(`/${kind} `));
    expect([kind, own.length]).toEqual([kind, kind === 'ok' ? 1 : 2]);
    for (const line of own) expect(line).toMatch(reported);
  }
  const empty = memorySink({ columns: 80 });
  await printTable([], view, { ...settings, columns: 80, terminal: true }, empty);
  expect(empty.text.trimEnd().length).toBeLessThanOrEqual(80);
  expect(empty.text).toContain('ERROR');
  const piped = memorySink();
  await printTable(deliveries, view, { ...settings, terminal: false }, piped);
  expect(piped.text).toMatch(/ATTEMPT +SENT \(GMT\+7\) +NEXT +CHANGES +WEBHOOK_ID +EXPLANATION/);
});

it.each([
  ['sandbox log', operations.log, ['OPERATION', 'STATUS', 'CODE'], '/CreateAndConfirmOrder'],
  ['sandbox deliveries', operations.deliveries, ['URL', 'OUTCOME', 'STATUS'], '/hooks/of-the-shop'],
] as const)('what matters of %s is whole on a terminal of 80 columns', async (_, { view }, headings, whole) => {
  if (view === undefined) throw new Error('it has no view');
  const [long, time] = ['1234567890123456789', '2026-01-31T08:00:00Z'];
  const request = {
    id: 12345,
    time,
    operation: `partner.Shipping${whole}`,
    account: long,
    status: 409,
    duration_ms: 12,
  };
  const delivery = { callback_id: long, webhook_id: long, url: `http://127.0.0.1:4999${whole}`, outcome: 'failed' };
  const reported = { code: 'already_exists', error: 'connect ECONNREFUSED', sent_at: time, next_attempt_at: time };
  const sink = memorySink({ columns: 80 });
  const settings = { format: 'table', colour: false, quiet: false, utc: true, columns: 80, terminal: true } as const;
  await printTable([{ ...request, ...delivery, ...reported, arrived: true }], view, settings, sink);
  const [head = '', row = ''] = sink.text.split('\n');
  for (const heading of headings) expect(head).toContain(heading);
  expect(row).toContain(whole.slice(-12));
  expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(80);
});
