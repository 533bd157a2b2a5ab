import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testMachine } from '../support/context.ts';

const steering = 'a\u001b]0;owned\u0007\u009b31m\u202eb\u2066\u00adc\n# hint: all is well';
const env = { SHOPCTL_BASE_URL: 'http://127.0.0.1:4010', SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: 'shop:1234567890abcdef' };
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066\u00ad]/;

function answering(value: unknown, status = 200) {
  const body = JSON.stringify(value);
  return testMachine(async () => ({ status, headers: { 'content-type': 'application/json' }, body }));
}

it('shows a cursor of the service in a notice without obeying it', async () => {
  const machine = answering({ customers: [{ id: '1' }], paging: { next: steering } });
  const { exit, stderr } = await machine.run(['customers', 'list', '--limit', '1'], { env });
  expect(exit).toBe(0);
  expect(stderr).toContain('--after a\\x1b]0;owned\\x07\\x9b31m\\u202eb\\u2066\\xadc\\n# hint: all is well');
  expect(stderr).not.toMatch(unsafe);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

it.each([200, 400, 500])(
  'shows an error of the service with %i without obeying it, and on lines of ours',
  async (status) => {
    const machine = answering({ code: steering, msg: steering, meta: { [steering]: steering } }, status);
    for (const format of ['table', 'json', 'jsonl']) {
      const words = ['customers', 'get', '1', '-o', format, '--debug', '--max-retries', '0'];
      const { stdout, stderr } = await machine.run(words, { env });
      expect(stdout).toBe('');
      expect(stderr).not.toMatch(unsafe);
      expect(stderr).not.toMatch(/^# hint/m);
    }
  },
);

it('prints a curl command that steers no terminal and sends the same', async () => {
  const machine = answering({});
  const file = join(machine.directory, 'input.json');
  const note = 'a\u009bb\u202ec\u00ad\u{e0041}d\u007f';
  writeFileSync(file, JSON.stringify({ full_name: 'An', phone: '0901234567', note }));
  for (const words of [
    ['customers', 'create', '--input', file, '--curl'],
    ['api', 'shop.Customer/CreateCustomer', '--data', `@${file}`, '--curl'],
  ]) {
    const { exit, stdout } = await machine.run(words, { env });
    expect(exit).toBe(0);
    expect(stdout).not.toMatch(unsafe);
    expect(stdout).not.toContain('\u{e0041}');
    const [, body = ''] = /--data-raw '(.*)'\n$/s.exec(stdout) ?? [];
    expect(JSON.parse(body)).toMatchObject({ note });
  }
});

it('prints a curl command that steers no terminal for a body that is not JSON', async () => {
  const machine = answering({});
  const body = '{"a":"it\'s\u001b[31m\\\r\n';
  const { exit, stdout } = await machine.run(['api', 'shop.X/Y', '--data', body, '--curl'], { env });
  expect(exit).toBe(0);
  expect(stdout).not.toMatch(unsafe);
  const sent = execFileSync('bash', ['-c', stdout.replace('curl --request', "printf '%s|' --request")], {
    encoding: 'utf8',
  });
  expect(sent.split('|').at(-2)).toBe(body);
});
