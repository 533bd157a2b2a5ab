/* What repeats a key that somebody typed or set where a name belongs. */
import { allSettings } from '../../src/settings/in-force.ts';
import type { RunOptions } from '../support/context.ts';

/** A key as the service gives them, which no machine here has. */
export const key = '1234567890123456789:abcdefghijklmnopqrstuvwxyz';

type Run = (words: readonly string[], options?: RunOptions) => Promise<{ stdout: string; stderr: string }>;

/** Says which of the lines show a part of the secret, as JSON or as a table. */
export async function repeating(
  run: Run,
  lines: readonly (readonly [words: readonly string[], env?: Readonly<Record<string, string>>])[],
) {
  const faults: string[] = [];
  for (const [words, env = {}] of lines) {
    const { stdout, stderr } = await run(words, { env });
    const seen = `${stdout}${stderr}`.split('\n').find((line) => line.includes('abcdefghij'));
    if (seen !== undefined) faults.push(`${Object.keys(env)} ${words.join(' ')}: ${seen}`);
  }
  return faults;
}

/** Every variable that shopctl reads, or that a call goes by. */
const variables = [
  ...allSettings.flatMap(([, { variable }]) => variable ?? []),
  ...['SHOPCTL_API_KEY', 'SHOPCTL_SHOP_KEY', 'SHOPCTL_STATE_DIR', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
];
/** Commands that tell what they go by. */
export const telling = [
  'doctor',
  'config list --show-origin',
  'workspace show',
  'auth status',
  'profiles list',
  'orders list',
  ...allSettings.map(([, { name }]) => `config get ${name}`),
];

/** Every kind of value that a variable is not to have repeated, and the variables that are tried with it. */
export const secrets: readonly (readonly [what: string, secret: string, names: readonly string[]])[] = [
  ['a key', key, variables],
  ['a password', 'http://user:abcdefghij@127.0.0.1:1', variables],
  ['a token of an address', 'http://127.0.0.1:1/?token=abcdefghij', ['SHOPCTL_BASE_URL', 'HTTPS_PROXY']],
];

/** Lines that tell of variables with a secret in each, as a table and as JSON. */
export const linesWith = (secret: string, names: readonly string[], lines: readonly string[]) =>
  names.flatMap((name) =>
    lines.flatMap((line) =>
      [[], ['--json']].map((format) => [[...line.split(' '), ...format], { [name]: secret }] as const),
    ),
  );
