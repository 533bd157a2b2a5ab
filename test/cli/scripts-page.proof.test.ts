import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/errors/exit.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';

const page = readFileSync(resolve('docs/scripts.md'), 'utf8');

/** The example of a file name, which is its first line's comment. */
function example(name: string): string {
  const blocks = [...page.matchAll(/^```(?:bash|python|js)\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
  const found = blocks.find((text) => /^(?:#|\/\/) (\S+)$/m.exec(text)?.[1] === name);
  if (found === undefined) throw new Error(`docs/scripts.md has no example ${name}`);
  return found;
}

/** The pauses of the example for a shell, which a test does not take. */
const PAUSES = 'for pause in 0 5 30';

let built: BuiltProgram;

beforeAll(async () => {
  built = await buildProgram();
  for (const name of ['ship.sh', 'create_customer.py', 'batch.mjs'])
    writeFileSync(join(built.home, name), example(name).replace(PAUSES, 'for pause in 0 0 0'));
  for (const name of ['order.json', 'orders.csv']) copyFileSync(join('examples', name), join(built.home, name));
});

afterAll(() => built.remove());

/** Runs a line of a shell in a fresh sandbox in which a shop is signed in. */
function inSandbox(line: string, ...flags: string[]) {
  const words = ['sandbox', 'exec', ...flags, '--', 'bash', '-c', line];
  const { status, stdout, stderr } = spawnSync(join(built.bin, 'shopctl'), words, {
    cwd: built.home,
    encoding: 'utf8',
    env: { HOME: built.home, PATH: `${built.bin}${delimiter}${process.env.PATH}`, SHOPCTL_CONFIG_DIR: built.home },
  });
  return { status, stdout, stderr };
}

describe('the examples of docs/scripts.md', () => {
  it('have the pauses that are left out here', () => {
    expect(example('ship.sh')).toContain(PAUSES);
  });

  it('ship an order once, whatever becomes of its answer', () => {
    const create = 'partner.Shipping/CreateAndConfirmOrder';
    for (const fault of ['drop-before', 'drop-after-commit', 'status=503,retry-after=0']) {
      const add = `shopctl sandbox faults add ${create} --once --do ${fault} >/dev/null`;
      const ran = inSandbox(`${add}; bash ship.sh; bash ship.sh`, '--signed-in');
      expect([fault, ran.stdout, ran.stderr]).toEqual([
        fault,
        expect.stringMatching(/^shipped as (\d+)\nshipped as \1\n$/),
        expect.any(String),
      ]);
    }
    const refused = inSandbox(`echo '{}' > order.json; bash ship.sh`, '--signed-in');
    copyFileSync(join('examples', 'order.json'), join(built.home, 'order.json'));
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('shopctl: error:')]);
  });

  it('read the fields that were refused', () => {
    const { status, stdout, stderr } = inSandbox('python3 create_customer.py');
    expect([status, stdout, stderr]).toEqual([0, expect.stringMatching(/^phone is not a phone number/), '']);
  });

  it('run a batch, and report what is left', () => {
    const good = inSandbox('node batch.mjs', '--signed-in');
    expect([good.status, good.stdout]).toEqual([0, expect.stringMatching(/^(\d+) of \1 rows are done\n$/)]);
    const sheet = readFileSync(join(built.home, 'orders.csv'), 'utf8');
    writeFileSync(join(built.home, 'orders.csv'), sheet.replace(/,09\d{8},/, ',09,'));
    const bad = inSandbox('node batch.mjs', '--signed-in');
    expect([bad.status, bad.stdout]).toEqual([9, expect.stringMatching(/next: shopctl batch rows .* --state failed/)]);
    expect(bad.stdout).toContain('column shipping_address.phone');
    // What fails without a result ends with its own exit code, and says why.
    const none = inSandbox('rm orders.csv; node batch.mjs', '--signed-in');
    expect([none.status, none.stdout, none.stderr]).toEqual([2, '', expect.stringContaining('orders.csv')]);
  });
});

it('has every exit code', () => {
  const table = page.slice(page.indexOf('## Exit codes'), page.indexOf('## Errors'));
  const listed = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = '']) => codes.split(', ').map(Number));
  expect(listed).toEqual(expect.arrayContaining(Object.values(exitCodes).map(({ code }) => code)));
});
