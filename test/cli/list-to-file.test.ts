import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { findWork } from '../../src/batch/row-work.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { writeList } from '../../src/operations/actions/list-to-file.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import { sourceRows } from '../../src/sheets/source-rows.ts';
import { testMachine } from '../support/context.ts';
import { fc } from '../support/fast-check.ts';
import { json } from '../support/scripted-transport.ts';
import { shopWorld } from '../support/shop-world.ts';

const formats = ['csv', 'xlsx', 'jsonl'] as const;

/** What a batch of a command reads from a file. */
async function readBack(path: string, command: string) {
  const work = await findWork(command, 'shop');
  const source = {
    name: path,
    bytes: (async function* () {
      yield readFileSync(path);
    })(),
  };
  const sheet = await sheetFormatOf(path).read(source, { sheet: undefined });
  const { rows } = sourceRows(sheet, {
    schema: work.schema,
    shown: work.shown,
    ignored: [],
    nameFields: [],
    blankClears: false,
    command,
    places: async () => (await import('../../src/domain/places/place-data.ts')).locationTree,
  });
  const read = [];
  for await (const { value, faults } of rows) {
    expect(faults).toEqual([]);
    read.push(value);
  }
  return { read, schema: work.schema };
}

/** The text of the first sheet of a workbook. */
const sheetText = (path: string) =>
  strFromU8(unzipSync(readFileSync(path))['xl/worksheets/sheet1.xml'] ?? new Uint8Array());

/** A text as a cell keeps it: outer blanks and the kind of line ends do not count. */
const kept = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim().normalize('NFC');

/** What of a record a batch can send: settable fields that are not blank. */
function settable(value: unknown, schema: JsonSchema | undefined): unknown {
  if (value === null || value === undefined || schema === undefined) return undefined;
  if (typeof value === 'string') return kept(value) === '' ? undefined : kept(value);
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if (typeof value !== 'object') return value;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const found = settable(inner, schema.properties?.[name]);
    return found === undefined ? [] : [[name, found]];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '=1+1',
    "'tis",
    "'=x",
    ' =x',
    '-5',
    '0012',
    '1e5',
    'x"y,z;',
    'dòng\nhai',
    '+84',
    '_x0041_',
    '[a',
    'TRUE',
    '\ttab',
    'An\u001b[31m\u202egnud\u200b\u0085',
    '\\x1b and \\u202e as text',
    '\\x5cx1b',
    '\u200b=1+1',
    '\u{e0041}tag \\u{e0041}',
    'C:\\new\\u00e9 \\x41',
  ),
);
// A file holds no half of a character.
const text = words.map((value) => Buffer.from(value).toString());
const products = fc.array(
  fc.record({
    id: fc.bigInt({ min: 1_000_000_000_000_000n, max: 9_223_372_036_854_775_807n }).map(String),
    code: fc.constantFrom('', 'SP-01', '00123', '9007199254740993'),
    name: text,
    unit: text,
    note: text,
    short_desc: text,
    description: text,
    status: fc.constantFrom('P', 'N', 'Z'),
    list_price: fc.integer({ min: 0, max: 2_000_000_000 }),
    retail_price: fc.option(fc.integer({ min: 0, max: 2_000_000_000 })),
    image_urls: fc.array(fc.constantFrom('https://a.example/1.png', 'https://a.example/2.png?x=1|2', 'a b'), {
      maxLength: 3,
    }),
    variants: fc.constant([{ id: '1', code: 'V' }]),
  }),
  { minLength: 1, maxLength: 6 },
);

it.each(formats)('gives back in %s what it was given, to a batch of the matching update', async (format) => {
  const { directory } = testMachine(() => {
    throw new Error('nothing is called');
  });
  const { ListProducts } = await import('../../src/contract/shop/product.ts');
  const record = jsonSchema(ListProducts.response).properties?.products?.items ?? { type: 'object' };
  let count = 0;
  await fc.assert(
    fc.asyncProperty(products, async (records) => {
      count += 1;
      const path = join(directory, `list-${count}.${format}`);
      await writeList(path, records, record);
      const { read, schema } = await readBack(path, 'products update');
      const same = (list: readonly unknown[]) => list.map((one) => settable(one, schema));
      expect(same(read)).toEqual(same(records));
    }),
    { numRuns: Number(process.env.SHOPCTL_TEST_SHEETS ?? 40) },
  );
});

describe('--to FILE', () => {
  it('writes the whole list, which a batch of updates then reads without changing anything', async () => {
    const world = await shopWorld();
    const shop = ['--profile', 'shop'];
    const { apiKey } = world.service.shop;
    for (let index = 0; index < 101; index += 1) {
      const customer = {
        full_name: `Khách "${index}", ạ`,
        phone: `09${30_000_000 + index}`,
        note: index % 2 ? '=1+1' : '',
      };
      await world.service.post('shop.Customer/CreateCustomer', customer, apiKey);
    }
    const list = async () => JSON.parse((await world.run(['customers', 'list', ...shop, '--json'])).stdout);
    const before = await list();
    expect(before).toHaveLength(101);
    for (const format of formats) {
      const file = `customers.${format}`;
      // Also where a person would see the newest 100 alone.
      const ended = await world.run(['customers', 'list', '--to', file, ...shop], { terminal: true });
      expect([ended.exit, ended.stdout]).toEqual([0, expect.stringContaining('101')]);
      const ran = await world.run(['batch', 'run', file, '--do', 'customers update', '--yes', '--json', ...shop]);
      expect([format, ran.exit, ran.stderr]).toEqual([format, 0, expect.any(String)]);
      expect(JSON.parse(ran.stdout).counts).toMatchObject({ rows: 101, failed: 0 });
      const bare = (customers: Record<string, unknown>[]) => customers.map(({ updated_at: _, ...rest }) => rest);
      expect(bare(await list())).toEqual(bare(before));
    }
  });

  it.each(formats)('leaves the old file where the list breaks off, and no other one: %s', async (format) => {
    let pages = 0;
    const customers = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, full_name: `Khách ${index}` }));
    const world = await shopWorld(() => async () => {
      pages += 1;
      return pages < 2
        ? json(200, { customers, paging: { next: 'more', previous: '' } })
        : json(403, { code: 'permission_denied', msg: 'no' });
    });
    const path = join(world.directory, `old.${format}`);
    writeFileSync(path, 'old');
    const ended = await world.run(['customers', 'list', '--to', `old.${format}`, '--profile', 'shop']);
    expect([ended.exit, pages, ended.stderr]).toEqual([4, 2, expect.stringMatching(/permission_denied/)]);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(world.directory).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});

it('writes csv to a file as on stdout: guarded or not, and for Excel with its mark and the digits of ids', async () => {
  const world = await shopWorld();
  const customer = { full_name: '=Khách', phone: '0930000001', note: '+84' };
  await world.service.post('shop.Customer/CreateCustomer', customer, world.service.shop.apiKey);
  const written = async (...flags: string[]) => {
    const words = ['customers', 'list', '--match', '0930000001', '--profile', 'shop', ...flags];
    expect((await world.run([...words, '--to', 'one.csv'])).exit).toBe(0);
    const file = readFileSync(join(world.directory, 'one.csv'), 'utf8');
    const { stdout } = await world.run([...words, '-o', 'csv']);
    const cellsOf = (text: string) => text.split('\r\n')[1]?.split(',') ?? [];
    for (const cell of cellsOf(stdout)) expect(cellsOf(file)).toContain(cell);
    expect(file.startsWith('\uFEFF')).toBe(stdout.startsWith('\uFEFF'));
    return file;
  };
  const plain = await written();
  expect(plain).toMatch(/^id,/);
  expect(plain).toMatch(/\n\d{19},/);
  expect(plain).toContain(",'=Khách,");
  expect(await written('--no-csv-guard')).toContain(',=Khách,');
  const excel = await written('--bom');
  expect(excel).toMatch(/^\uFEFFid,/);
  expect(excel).toMatch(/\n="\d{19}",|\n"=""\d{19}""",/);
  expect(excel).toContain("'=Khách");
  expect(excel).toContain('0930000001"');
  const ran = await world.run([
    ...['batch', 'run', 'one.csv', '--do', 'customers update', '--yes', '--json', '--profile', 'shop'],
  ]);
  expect([ran.exit, JSON.parse(ran.stdout).counts]).toEqual([0, expect.objectContaining({ rows: 1, failed: 0 })]);
  const { stdout } = await world.run(['customers', 'list', '--match', '0930000001', '--profile', 'shop', '--json']);
  expect(JSON.parse(stdout)).toMatchObject([customer]);
});

it.each(['csv', 'xlsx'])('hides nothing in a file of %s either, which a batch reads back as it was', async (format) => {
  const { run, service, directory } = await shopWorld();
  const name = 'An\u001b[31m\u202egnud\u200b\u0085 \\x1b';
  await service.post('shop.Customer/CreateCustomer', { full_name: name, phone: '0901234567' }, service.shop.apiKey);
  const path = join(directory, `customers.${format}`);
  const words = ['customers', 'list', '--profile', 'shop'];
  expect((await run([...words, '--to', path])).exit).toBe(0);
  const { read } = await readBack(path, 'customers update');
  expect(read.map(({ full_name }) => full_name)).toContain(name);
  const text = format === 'csv' ? readFileSync(path, 'utf8') : sheetText(path);
  expect(text).toContain('An\\x1b[31m\\u202egnud\\u200b\\x85 \\x5cx1b');
  expect(text).not.toMatch(/[\u001b\u202e\u200b\u0085]|_x001B_/);
  expect((await run([...words, '-o', 'csv'])).stdout).toContain('An\\x1b[31m\\u202egnud\\u200b\\x85 \\x5cx1b');
});

it('writes a result of its own export as it was: an escape and a guard are not doubled', async () => {
  const { run, directory } = await shopWorld();
  const path = join(directory, 'groups.csv');
  writeFileSync(path, "name\r\n'=1+1\r\nAn\\x1b[31m\r\n");
  const shop = ['--profile', 'shop', '-o', 'json'];
  const ran = await run(['batch', 'run', path, '--do', 'groups create', '--yes', ...shop]);
  const result = join(directory, 'result.csv');
  await run(['batch', 'result', JSON.parse(ran.stdout).batch, '--to', result, ...shop]);
  expect(
    readFileSync(result, 'utf8')
      .split('\r\n')
      .map((line) => line.split(',')[0]),
  ).toEqual(['name', "'=1+1", 'An\\x1b[31m', '']);
  const { stdout } = await run(['groups', 'list', ...shop]);
  expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['=1+1', 'An\u001b[31m']),
  );
});

it('has real dates in a workbook, by the clocks of the setting tz or in UTC, and text as it came in csv', async () => {
  const { run, service, directory } = await shopWorld();
  const { body } = await service.post('shop.ProductCollection/CreateCollection', { name: 'Trà' }, service.shop.apiKey);
  const words = ['collections', 'list', '--profile', 'shop', '--fields', 'created_at,name'];
  const cell = async (...more: string[]) => {
    const path = join(directory, 'collections.xlsx');
    expect((await run([...words, '--to', path, ...more])).exit).toBe(0);
    const [, serial] = /<c r="A2" s="3"><v>([\d.]+)<\/v><\/c>/.exec(sheetText(path)) ?? [];
    // Days since 30 December 1899, as spreadsheets count them.
    return Math.round(Number(serial) * 86_400) - 25_569 * 86_400;
  };
  const seconds = Math.floor(Date.parse(body.created_at) / 1000);
  const shownAt = (hours: number) =>
    new Date((seconds + hours * 3600) * 1000).toISOString().slice(0, 16).replace('T', ' ');
  expect(await cell('--utc')).toBe(seconds);
  expect(await cell()).toBe(seconds + 7 * 3600);
  expect((await run(['config', 'set', 'tz', 'Asia/Tokyo', '--profile', 'shop'])).exit).toBe(0);
  expect(await cell()).toBe(seconds + 9 * 3600);
  // The table of the same list has the same clocks, and names them.
  const heading = async (env: Record<string, string>, ...more: string[]) =>
    (await run([...words, '-o', 'table', ...more], { env })).stdout.split('\n').map((line) => line.split(/ {2,}/)[0]);
  expect(await heading({})).toEqual(['CREATED_AT (GMT+9)', shownAt(9), '']);
  expect(await heading({ SHOPCTL_TZ: 'America/New_York' })).toEqual(['CREATED_AT (America/New_York)', shownAt(-5), '']);
  expect(await heading({ SHOPCTL_TZ: 'America/New_York' }, '--utc')).toEqual(['CREATED_AT', `${shownAt(0)}Z`, '']);
  expect((await run([...words, '--to', join(directory, 'c.csv')])).exit).toBe(0);
  expect(readFileSync(join(directory, 'c.csv'), 'utf8')).toContain(`\n${body.created_at},Trà`);
});

it('refuses a file whose name tells no format, and writes nothing in a dry run', async () => {
  const world = await shopWorld();
  const refused = await world.run(['customers', 'list', '--to', 'list.pdf', '--profile', 'shop']);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('.csv, .xlsx or .jsonl')]);
  const dry = await world.run(['customers', 'list', '--to', 'list.csv', '--profile', 'shop', '--dry-run']);
  expect([dry.exit, existsSync(join(world.directory, 'list.csv'))]).toEqual([0, false]);
  const unknown = await world.run(['customers', 'get', '1', '--to', 'list.csv', '--profile', 'shop']);
  expect(unknown.exit).toBe(2);
});

it('hides nothing in a file of JSON lines: control, bidi and invisible characters are written as escapes', async () => {
  const { run, service, directory } = await shopWorld();
  const name = 'An\u001b[31m\u202egnud\u200b\u0085';
  await service.post('shop.Customer/CreateCustomer', { full_name: name, phone: '0901234567' }, service.shop.apiKey);
  const path = join(directory, 'customers.jsonl');
  expect((await run(['customers', 'list', '--profile', 'shop', '--to', path])).exit).toBe(0);
  const { read } = await readBack(path, 'customers update');
  expect(read.map(({ full_name }) => full_name)).toContain(name);
  expect(readFileSync(path, 'utf8')).not.toMatch(/[\u202e\u200b\u0085]/);
});

it('guards the cells of a result against formulas, those of the file itself too, unless it is told not to', async () => {
  const { run, directory } = await shopWorld();
  const path = join(directory, 'groups.csv');
  writeFileSync(path, 'name,hint\n=1+1,@SUM(1)\n"\t=cmd",-2+3\n');
  const ran = await run([
    'batch',
    'run',
    path,
    '--do',
    'groups create',
    '--profile',
    'shop',
    '--ignore-columns',
    '--yes',
    '-o',
    'json',
  ]);
  expect(ran.exit).toBe(0);
  const result = join(directory, 'result.csv');
  const words = ['batch', 'result', JSON.parse(ran.stdout).batch, '--profile', 'shop', '--to', result];
  expect((await run(words)).exit).toBe(0);
  expect(readFileSync(result, 'utf8')).toMatch(/^name,hint,.*\r\n'=1\+1,'@SUM\(1\),/);
  expect(
    (await run(['batch', 'run', result, '--do', 'groups create', '--profile', 'shop', '--ignore-columns'])).stderr,
  ).toContain('was run as');
  expect((await run([...words, '--no-csv-guard'])).exit).toBe(0);
  expect(readFileSync(result, 'utf8')).toMatch(/^name,hint,.*\r\n=1\+1,@SUM\(1\),/);
});
