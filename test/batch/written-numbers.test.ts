import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import { fc } from '../support/fast-check.ts';
import { shopWorld } from '../support/shop-world.ts';
import { fieldErrorsOf } from '../support/stderr-lines.ts';

type World = Awaited<ReturnType<typeof shopWorld>>;

/** What a single `products create` and a batch of it say of a document of one product. */
async function bothSay({ run, directory }: World, name: string, text: string) {
  const path = join(directory, name);
  writeFileSync(path, text);
  const shop = ['--profile', 'shop', '-o', 'json'];
  const alone = await run(['products', 'create', '--input', path, '--dry-run', ...shop]);
  const planned = await run(['batch', 'plan', path, '--do', 'products create', '--unit', 'one', ...shop]);
  const inBatch = fieldErrorsOf(planned.stderr).map(({ path, message }) => ({
    path: path.replace(/^(?:entry|line) \d+, /, ''),
    message: message.replace(/^"[^"]*" /, ''),
  }));
  return { alone: [alone.exit, fieldErrorsOf(alone.stderr)], batch: [planned.exit, inBatch] } as const;
}

/** A price as a file may have it, without what the code under test knows of them. */
const price = fc.oneof(
  fc.integer({ min: 1, max: 999 }).map((thousands) => `${thousands}.000`),
  fc.integer({ min: 1, max: 99 }).map((millions) => `${millions}.0`),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })).map(([one, zeros]) => `${one}e${zeros}`),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })).map(([one, zeros]) => `${one}.0E+${zeros}`),
  fc.integer({ min: 0, max: 2_000_000 }).map(String),
);
const plain = /^\d+$/;

describe('a number in a file of a batch', () => {
  it.each([
    ['yaml', (written: string) => `name: "Trà 1.000 e5"\nretail_price: ${written}\n`],
    ['yaml', (written: string) => `name: Trà\nlist_price: &p ${written}\nretail_price: *p\n`],
    ['json', (written: string) => `{"name": "Trà \\"2.000\\"", "retail_price": ${written}}`],
    ['jsonl', (written: string) => `{"name": "Trà", "retail_price": ${written}}\n`],
  ] as const)('is refused or taken as the single command does, in %s', async (ending, document) => {
    const world = await shopWorld();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(price, async (written) => {
        count += 1;
        const { alone, batch } = await bothSay(world, `product-${count}.${ending}`, document(written));
        expect(batch).toEqual(alone);
        expect(batch[0]).toBe(plain.test(written) ? 0 : 2);
        if (batch[0] !== 2) return;
        expect(JSON.stringify(batch[1])).toContain(`is written ${written}, which a program reads`);
        expect(batch[1].map(({ path }) => path)).toContain('retail_price');
      }),
      { numRuns: Number(process.env.SHOPCTL_TEST_VALUES ?? 12) },
    );
  });

  it('is found in each record of a list, by its own place', async () => {
    const { run, directory } = await shopWorld();
    const path = join(directory, 'products.yaml');
    writeFileSync(path, '- {name: Một, retail_price: 150000}\n- {name: Hai, retail_price: 150.000}\n');
    const words = ['batch', 'run', path, '--do', 'products create', '--yes', '--profile', 'shop', '-o', 'json'];
    const { exit, stderr } = await run(words);
    expect([exit, fieldErrorsOf(stderr)]).toEqual([
      2,
      [{ path: 'entry 2, retail_price', message: expect.stringMatching(/^"150.000" is written 150.000, which/) }],
    ]);
  });

  it('is refused in the JSON of a cell as well, where a price in quotes is read as in a cell', async () => {
    const { run, directory } = await shopWorld();
    const path = join(directory, 'orders.csv');
    const words = ['batch', 'plan', path, '--do', 'orders create', '--profile', 'shop', '-o', 'json'];
    const planned = async (price: string) => {
      const lines = `[{""product_name"":""Trà"",""quantity"":2,""retail_price"":${price}}]`;
      writeFileSync(path, `external_id,lines\nA-100,"${lines}"\n`);
      return run(words);
    };
    const { exit, stderr } = await planned('150.000');
    expect([exit, fieldErrorsOf(stderr)]).toEqual([
      2,
      [
        {
          path: 'line 2, column lines',
          message: expect.stringContaining('JSON in which [0].retail_price is written 150.000, which a program reads'),
        },
      ],
    ]);
    expect(JSON.parse((await planned('""150.000""')).stdout).rows[0].payload).toMatchObject({
      lines: [{ retail_price: 150_000, quantity: 2 }],
      total_amount: 300_000,
    });
    expect(fieldErrorsOf((await planned('""150k""')).stderr)[0]?.message).toContain(
      '[0].retail_price "150k" must have all',
    );
  });

  it('is refused where a phone number lost its quotes, as it is written', async () => {
    const { run, directory } = await shopWorld();
    const path = join(directory, 'customers.yaml');
    writeFileSync(path, 'full_name: Lan\nphone: 0912345678\n');
    const shop = ['--profile', 'shop', '-o', 'json'];
    const planned = await run(['batch', 'plan', path, '--do', 'customers create', ...shop]);
    const alone = await run(['customers', 'create', '--input', path, '--dry-run', ...shop]);
    expect([planned.exit, alone.exit]).toEqual([2, 2]);
    const message = "must be text: put it in quotes, '0912345678'";
    expect(fieldErrorsOf(alone.stderr)).toEqual([{ path: 'phone', message }]);
    expect(fieldErrorsOf(planned.stderr)).toEqual([
      { path: 'entry 1, phone', message: expect.stringContaining(message) },
    ]);
  });
});

/** A file with one product of this code, written as each format writes a text. */
const fileWithCode = (ending: string, code: string) =>
  ({
    csv: `name,code\nTrà,${code}\n`,
    jsonl: `{"name":"Trà","code":"${code}"}\n`,
    json: `[{"name":"Trà","code":"${code}"}]`,
    yaml: `- name: Trà\n  code: "${code}"\n`,
    xlsx: xlsxOf(['name', 'code'], [['Trà', code]]),
  })[ending] ?? '';

it.each(['csv', 'jsonl', 'json', 'yaml', 'xlsx'])(
  'a code of digits around an E arrives as it is written in %s',
  async (ending) => {
    const { run, directory } = await shopWorld();
    const file = join(directory, `products.${ending}`);
    writeFileSync(file, fileWithCode(ending, '0E68070526'));
    const made = await run([
      'batch',
      'run',
      file,
      '--do',
      'products create',
      '--yes',
      '--profile',
      'shop',
      '-o',
      'json',
    ]);
    expect([made.exit, made.stderr]).toMatchObject([0, expect.not.stringContaining('ruined')]);
    const listed = await run(['products', 'list', '--profile', 'shop', '-o', 'json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'Trà', code: '0E68070526' }]);
  },
);
