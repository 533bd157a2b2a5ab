import { expect, it } from 'vitest';
import { formatNames } from '../../src/cli/print/formats.ts';
import { testMachine } from '../support/context.ts';
import { spellingsOf } from './spellings.ts';

const key = 'shop1042:canary-3f9c/7d21ab88e0c4';
const secret = key.slice(key.indexOf(':') + 1);

/** A machine whose service answers every call with one text. */
function echoing(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  return testMachine(async () => ({ status, headers: { 'content-type': 'application/json', ...headers }, body }));
}

/** A reader who undoes every escape that a text may hold, over and over; written apart from what it judges. */
function undone(text: string): string {
  const code = (digits: string, base: number) => String.fromCodePoint(Number.parseInt(digits, base) % 0x110000);
  let plain = text;
  for (let round = 0; round < 12; round += 1) {
    plain = plain
      .replace(/\\+/g, '\\')
      .replace(/\\u\{([\da-f]+)\}/gi, (_, digits) => code(digits, 16))
      .replace(/\\u([\da-f]{4})/gi, (_, digits) => code(digits, 16))
      .replace(/\\x([\da-f]{2})/gi, (_, digits) => code(digits, 16))
      .replace(/%([\da-f]{2})/gi, (_, digits) => code(digits, 16))
      .replace(/&amp;/g, '&')
      .replace(/&#x([\da-f]+);/gi, (_, digits) => code(digits, 16))
      .replace(/&#(\d+);/g, (_, digits) => code(digits, 10))
      .replace(/&colon;/g, ':')
      .replace(/&sol;/g, '/')
      .replace(/\\\//g, '/');
  }
  return plain.replaceAll('\\', '');
}

const env = { SHOPCTL_BASE_URL: 'http://127.0.0.1:4010', SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: key };

/** A failure has two forms: words for a person, and a line of JSON. */
const ofFailures = ['table', 'json'];

/** Every text that a run shows in these formats, with the trace of the wire. */
async function everythingShown(
  machine: ReturnType<typeof testMachine>,
  words: readonly string[],
  formats: readonly string[] = ofFailures,
): Promise<string> {
  const texts: string[] = [];
  for (const format of formats) {
    const { stdout, stderr } = await machine.run([...words, '-o', format, '--debug', '--max-retries', '0'], { env });
    texts.push(stdout, stderr);
  }
  return texts.join('\n');
}

it('is judged by a reader who would find the key in each spelling', () => {
  for (const [name, spelled] of Object.entries(spellingsOf(key))) expect(undone(spelled), name).toContain(secret);
});

it.each(Object.entries(spellingsOf(key)))('does not show a key that is echoed %s', async (_, whole) => {
  const bare = spellingsOf(secret)[_] ?? '';
  for (const spelled of [whole, bare]) {
    const record = `{"id":"1","full_name":"${spelled}","note":"my key: ${spelled}","code":"Bearer ${spelled}"}`;
    const strange = `{"id":"1","unknown":{"${spelled}":["${spelled}"]}}`;
    for (const body of [record, strange]) {
      const shown = await everythingShown(echoing(200, body), ['customers', 'get', '1'], formatNames);
      expect(undone(shown)).not.toContain(secret);
    }
    const error = `{"code":"${spelled}","msg":"bad ${spelled}","meta":{"${spelled}":"${spelled}","x":["${spelled}"]}}`;
    for (const status of [200, 400, 401, 500]) {
      const shown = await everythingShown(echoing(status, error), ['customers', 'get', '1']);
      expect(undone(shown)).not.toContain(secret);
    }
    const page = echoing(502, `<title>Bearer ${spelled}</title>`, {
      'content-type': 'text/html',
      'x-request-id': spelled,
    });
    expect(undone(await everythingShown(page, ['api', 'shop.Customer/GetCustomer']))).not.toContain(secret);
    const redirect = echoing(307, '', { location: `https://elsewhere.example/?key=${spelled}` });
    expect(undone(await everythingShown(redirect, ['customers', 'get', '1']))).not.toContain(secret);
  }
});

it('redacts the secret behind the colon where it stands alone, and leaves the rest of the text', async () => {
  const { stdout } = await echoing(200, `{"id":"1","note":"it is ${secret}, is it?"}`).run(
    ['customers', 'get', '1', '--fields', 'note', '-o', 'json'],
    { env },
  );
  expect(JSON.parse(stdout)).toEqual({ note: 'it is ***e0c4, is it?' });
});

it('leaves a text alone that holds escapes and no key', async () => {
  const note = '100%25 \\u0073hop &amp; 50%\\';
  const { stdout } = await echoing(200, JSON.stringify({ id: '1', note })).run(
    ['customers', 'get', '1', '--fields', 'note', '-o', 'json'],
    { env },
  );
  expect(JSON.parse(stdout)).toEqual({ note });
});

it('finds a spelled key anywhere in a long text', async () => {
  const spelled = spellingsOf(secret)['as percents'] ?? '';
  for (const before of [0, 56_000, 57_300, 65_480, 200_000]) {
    const note = `${'x%20'.repeat(before / 4)}${spelled}${'y'.repeat(100_000)}`;
    const { stdout } = await echoing(200, JSON.stringify({ id: '1', note })).run(
      ['customers', 'get', '1', '--fields', 'note', '-o', 'json'],
      { env },
    );
    expect(JSON.parse(stdout)).toEqual({ note: '***e0c4' });
  }
});
