import { resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import { millisecondsOf } from '../../action/duration-field.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, record, requiring, text } from '../../contract/schema/scalars.ts';

const DEFAULT_WITHIN = '10s';
/** The service's own timeout (decisions, section 8). */
const GIVE_UP_MS = 60_000;
/** Pause between chunks when sending slowly. */
const PAUSE_MS = 250;
const RESTART_MS = 120_000;

const finding = z.object({
  check: text('What was tried'),
  passed: flag('Whether the receiver did as it must'),
  reason: z.nullable(text('What was wrong')),
  demand: text('What a receiver must do here'),
  milliseconds: int('The longest that an answer took', 'ms'),
});

/** Tests a receiver from outside. */
export const test = action({
  id: 'webhooks.test',
  words: ['webhooks', 'test'],
  summary: 'Test a receiver: send it what the service may send, and check its answers',
  description:
    'The changes are made up, but your receiver will treat them as real, so test one that may receive them. Exits with 11 when something is wrong. With a restart command, a delivery is in flight while it runs.',
  examples: [
    'shopctl webhooks test http://127.0.0.1:3000/hook',
    'shopctl webhooks test http://127.0.0.1:3000/hook --junit report.xml',
  ],
  effect: 'program',
  mayAlso: ['store'],
  undo: { whyNot: 'what was sent cannot be called back' },
  needs: [],
  input: z.object({
    ...requiring({ url: text('address of the receiver') }, {}).shape,
    ...record({
      junit: text('write a JUnit report to this file as well'),
      restart_cmd: text('a command line that restarts the receiver, and ends when that is done'),
      within: text(`how long an answer may take; ${DEFAULT_WITHIN} when absent`),
    }).shape,
  }),
  positional: ['url'],
  hints: {
    url: { placeholder: 'URL', from: 'path' },
    junit: { placeholder: 'FILE', from: 'path' },
    restart_cmd: { placeholder: 'COMMAND', from: 'path' },
    within: { placeholder: 'DURATION', isStyle: true, from: 'path' },
  },
  output: list(finding, 'One check each'),
  view: {
    columns: [
      { path: 'check' },
      { path: 'passed', kind: 'flag' },
      { path: 'milliseconds', header: 'ms', kind: 'number' },
      { path: 'reason' },
    ],
    name: 'check',
    fields: ['demand'],
  },
  async *run({ url, junit, restart_cmd: command, within }, ports) {
    const { clock, env, files, intend, report, signal, workingDirectory } = ports;
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
      const message = 'must be an http or https URL';
      throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'url', message }] });
    }
    const mostMs = millisecondsOf('within', within ?? DEFAULT_WITHIN);
    intend({ examine: parsed.host, restart: command ?? null });
    const { examinationJunit, examineReceiver, runShell, sendPost } = await import('../listen/index.ts');
    const restart = async () => {
      const given = { input: '', env, workingDirectory, timeoutMs: RESTART_MS, signal, says: report.ofProgram };
      const end = await runShell(command ?? '', given);
      if (end.kind === 'exit' && end.code === 0) return;
      throw new Refusal('restart_failed', 'the restart command failed, so nothing can be said about a restart');
    };
    const findings = [];
    const examination = {
      url,
      send: sendPost,
      clock,
      mostMs,
      giveUpMs: Math.max(mostMs, GIVE_UP_MS),
      pauseMs: PAUSE_MS,
      signal,
      ...(typeof command === 'string' ? { restart } : {}),
    };
    let notMade = 0;
    for await (const { notMade: fewer = 0, ...found } of examineReceiver(examination)) {
      findings.push(found);
      notMade += fewer;
      const { fault: _, ...shown } = found;
      yield shown;
    }
    if (typeof junit === 'string') {
      // A path or a query may contain the receiver's secret.
      await files.write(
        resolve(workingDirectory, junit),
        examinationJunit(`webhooks test ${parsed.origin}`, findings),
        0o644,
      );
    }
    const wrong = findings.filter(({ passed }) => !passed);
    report.notice(`${findings.length - wrong.length} of ${findings.length + notMade} checks passed`);
    if (wrong.length === 0) return;
    report.verdict('different');
    if (notMade > 0) return report.notice(`the receiver cannot be reached: the other ${notMade} checks were not made`);
    const [{ fault } = { fault: null }] = findings;
    const same = wrong.filter((found) => found.fault === fault);
    // What is wrong with the simplest change explains the same fault of all others.
    if (fault !== null && same.length > 1) report.notice(`${same.length} for one reason: it ${fault}`);
    for (const found of same.length > 1 ? wrong.filter((one) => one.fault !== fault) : wrong) {
      report.notice(`${found.check}: a receiver must ${found.demand}`);
    }
  },
});
