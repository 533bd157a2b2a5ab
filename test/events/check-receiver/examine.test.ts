import { describe, expect, it } from 'vitest';
import {
  type Examination,
  examinationJunit,
  examineReceiver,
  type Finding,
} from '../../../src/events/check-receiver/check-receiver.ts';
import { sendPost } from '../../../src/platform/http/post.ts';
import { systemClock } from '../../../src/platform/process/clock.ts';
import { readJunit } from '../../support/read-junit.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { correct, startReceiver, type TestReceiver, wrongReceivers } from './receivers.ts';

const restarts = 'a restart';

async function examine({ url }: Pick<TestReceiver, 'url'>, more: Partial<Examination> = {}): Promise<Finding[]> {
  const signal = new AbortController().signal;
  const given = { url, send: sendPost, clock: systemClock, mostMs: 10_000, giveUpMs: 20_000, pauseMs: 20, signal };
  const findings: Finding[] = [];
  for await (const finding of examineReceiver({ ...given, ...more })) findings.push(finding);
  return findings;
}

const failed = (findings: readonly Finding[]) => findings.filter(({ passed }) => !passed);
const reasons = (findings: readonly Finding[]) => failed(findings).map(({ check, reason }) => `${check}: ${reason}`);

describe('a correct receiver', () => {
  it('passes every check', async () => {
    const findings = await examine(await startReceiver(correct));
    expect(reasons(findings)).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      'one change',
      'a batch of 100',
      'the same twice',
      'out of order',
      'a body of 1 MiB',
      'unknown fields',
      'an unknown entity',
      'a slow sender',
      'ten at once',
    ]);
  });

  it('passes a restart in the middle of a delivery', async () => {
    const receiver = await startReceiver(correct);
    const restart = async () => {
      await receiver.cutOff();
      await receiver.comeBack();
    };
    const findings = await examine(receiver, { restart });
    expect(findings.at(-1)).toMatchObject({ check: restarts, passed: true });
  });
});

it('one that cannot be reached is tried once, whatever is left, a restart too', async () => {
  const receiver = await startReceiver(correct);
  await receiver.cutOff();
  const findings = await examine(receiver, { restart: async () => {} });
  expect(findings).toMatchObject([{ check: 'one change', passed: false, notMade: 9 }]);
  expect(findings[0]?.reason).toMatch(/no connection to .*ECONNREFUSED/);
});

it('one that hangs up on each change is reached, so every check is made', async () => {
  const receiver = await startReceiver((_, response) => response.destroy());
  const findings = await examine(receiver);
  expect(findings).toHaveLength(9);
  expect(findings.map(({ notMade }) => notMade)).toEqual(findings.map(() => undefined));
});

describe('a wrong receiver is found, with the reason:', () => {
  const impatient: Readonly<Record<string, Partial<Examination>>> = {
    'never answers': { giveUpMs: 60 },
    'answers late': { mostMs: 50 },
  };

  it.each(wrongReceivers)('$is', async ({ is, respond, fails, reason }) => {
    const findings = await examine(await startReceiver(respond()), impatient[is]);
    const wrong = failed(findings).map(({ check }) => check);
    if (fails === 'all') expect(wrong).toEqual(findings.map(({ check }) => check));
    else expect(wrong).toEqual(fails);
    for (const { reason: reported } of failed(findings)) expect(reported).toMatch(reason);
  });

  it('answers ok while it goes down, without the whole body', async () => {
    const receiver = await startReceiver((request, response) => {
      let received = '';
      request.on('data', (chunk) => {
        received += chunk;
        if (!response.writableEnded && received.includes('TEST70')) response.end('ok');
      });
      request.on('error', () => {}).once('end', () => response.writableEnded || response.end('ok'));
    });
    const findings = await examine(receiver, { restart: () => systemClock.wait(50, undefined) });
    expect(reasons(findings)).toEqual([expect.stringMatching(/a restart: .*before it had the whole body/)]);
  });

  it('does not come back from a restart', async () => {
    const receiver = await startReceiver(correct);
    const findings = await examine(receiver, { restart: receiver.cutOff, clock: steppedClock() });
    expect(reasons(findings)).toEqual([expect.stringMatching(/a restart: after the restart it gave no answer/)]);
  });

  it('refuses after a restart what was under way before', async () => {
    let restarted = false;
    const receiver = await startReceiver((request, response) => {
      request
        .on('error', () => {})
        .resume()
        .once('end', () => response.writeHead(restarted ? 500 : 200).end('ok'));
    });
    const restart = async () => {
      await receiver.cutOff();
      restarted = true;
      await receiver.comeBack();
    };
    expect(reasons(await examine(receiver, { restart }))).toEqual([
      'a restart: after the restart it answered status 500; the service accepts only 200',
    ]);
  });
});

it('ends at once when the person does not wait any longer', async () => {
  const ending = new AbortController();
  const receiver = await startReceiver(() => ending.abort(new Error('enough')));
  await expect(examine(receiver, { signal: ending.signal })).rejects.toThrow();
});

describe('the JUnit report', () => {
  it('names each check, counts failures, and holds no markup or control character of the receiver', () => {
    const base = { demand: 'accept a <single> change', milliseconds: 1500 };
    const report = examinationJunit('http://127.0.0.1/hook?a=1&b=2', [
      { ...base, check: 'one change', passed: true, reason: null, fault: null },
      { ...base, check: 'ten at once', passed: false, fault: null, reason: 'answered "</failure>\u0000\u001b[2J"' },
    ]);
    const { counts, cases } = readJunit(report);
    expect(counts).toEqual({
      name: 'http://127.0.0.1/hook?a=1&b=2',
      tests: '2',
      failures: '1',
      skipped: '0',
      time: '3.000',
    });
    const failure = { message: 'answered "</failure>\\x00\\x1b[2J"', text: 'it must accept a <single> change' };
    expect(cases).toMatchObject([
      { classname: 'webhooks test', name: 'one change', time: '1.500', failures: [] },
      { classname: 'webhooks test', name: 'ten at once', time: '1.500', failures: [failure] },
    ]);
  });
});
