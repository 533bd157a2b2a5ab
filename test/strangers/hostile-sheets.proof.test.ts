import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { isAtWork } from '../support/processor-time.ts';
import { openTestSandbox } from '../support/sandbox.ts';

let program: BuiltProgram;
let directory = '';

beforeAll(async () => {
  program = await buildProgram();
  directory = mkdtempSync(join(tmpdir(), 'shopctl-hostile-'));
});

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
  program.remove();
});

/** The environment of a command that is signed in to a sandbox of the test's own. */
async function signedIn() {
  const service = await openTestSandbox();
  const server = await startServer(service.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  return {
    ...process.env,
    NODE_OPTIONS: '',
    HOME: program.home,
    SHOPCTL_CONFIG_DIR: join(program.home, 'config'),
    XDG_STATE_HOME: join(program.home, 'state'),
    SHOPCTL_BASE_URL: server.baseUrl,
    SHOPCTL_AS: 'shop',
    SHOPCTL_API_KEY: service.shop.apiKey,
  };
}

const xml = '<?xml version="1.0"?>';
const rels = `${xml}<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`;
const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const good = `<row r="1">${text('A1', 'name')}</row><row r="2">${text('A2', 'An')}</row>`;

interface Book {
  readonly sheet?: string;
  readonly before?: string;
  readonly after?: string;
  readonly workbook?: string;
  readonly more?: Readonly<Record<string, Uint8Array>>;
}

/** A workbook as its parts are written, with whatever a stranger adds to them. */
function book({ sheet = sheetOf(good), before = '', after = '', workbook = '', more = {} }: Book): Uint8Array {
  const sheets = '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>';
  return zipSync({
    'xl/workbook.xml': strToU8(`${xml}<workbook xmlns:r="r">${sheets}</workbook>${workbook}`),
    'xl/_rels/workbook.xml.rels': strToU8(rels),
    'xl/worksheets/sheet1.xml': strToU8(`${before}${sheet}${after}`),
    ...more,
  });
}

/** The same archive, which declares another unpacked size for each of its parts. */
function lying(archive: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(archive);
  for (let at = 0; at < bytes.length - 4; at += 1) {
    const signature = bytes.readUInt32LE(at);
    if (signature === 0x02014b50) bytes.writeUInt32LE(size, at + 24);
    if (signature === 0x04034b50) bytes.writeUInt32LE(size, at + 22);
  }
  return bytes;
}

const manyRows = () => {
  const rows = Array.from(
    { length: 1_500_000 },
    (_, index) => `<row r="${index + 2}"><c r="A${index + 2}"><v>1</v></c></row>`,
  );
  return sheetOf(`<row r="1">${text('A1', 'name')}</row>${rows.join('')}`);
};
const bomb = Array.from(
  { length: 25 },
  (_, n) => `a${n + 1}: &a${n + 1} [${'*a0, '.repeat(9).replaceAll('a0', `a${n}`)}]`,
);
const lines = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('');

/** Files of an attacker, and the exit code of a plan of each: 0 where what is hostile in it is read over. */
const corpus: readonly (readonly [name: string, exit: number, content: () => string | Uint8Array])[] = [
  ['a comment that looks like cells.xlsx', 0, () => book({ after: `<!--${'<c '.repeat(1_000_000)}-->` })],
  ['tags that never close.xlsx', 2, () => book({ workbook: '<sheet '.repeat(1_000_000) })],
  ['elements a million levels deep.xlsx', 2, () => book({ sheet: '<a>'.repeat(1_000_000) })],
  ['an attribute of 10 MB.xlsx', 2, () => book({ sheet: `<worksheet x="${'y'.repeat(10_000_000)}"/>` })],
  ['a cell of 40 MB.xlsx', 2, () => book({ sheet: sheetOf(`<row>${text('A1', 'x'.repeat(40_000_000))}</row>`) })],
  ['a number of 40 MB.xlsx', 2, () => book({ sheet: sheetOf(`<row><c><v>${'1'.repeat(40_000_000)}</v></c></row>`) })],
  ['parts larger than they say.xlsx', 2, () => lying(book({ after: ' '.repeat(50_000_000) }), 1_000)],
  ['parts that say 4 GB.xlsx', 2, () => lying(book({}), 0xfffffffe)],
  ['a million and a half rows.xlsx', 2, () => book({ sheet: manyRows() })],
  ['a cell beyond the last column.xlsx', 2, () => book({ sheet: sheetOf(`<row>${text('ZZZ1', 'x')}</row>`) })],
  ['entities of entities.xlsx', 2, () => book({ before: '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]>' })],
  ['a file of this machine.xlsx', 2, () => book({ before: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>' })],
  ['parts outside.xlsx', 2, () => book({ more: { '../../../tmp/x': strToU8('x') } })],
  ['levels in a cell.json', 2, () => `[{"name": ${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}]`],
  ['levels that never close.json', 2, () => '['.repeat(5_000_000)],
  ['levels on a line.jsonl', 2, () => `{"name": ${'['.repeat(200_000)}${']'.repeat(200_000)}}\n`],
  ['a line of twenty million values.jsonl', 2, () => `{"name": [${'"x",'.repeat(20_000_000)}"x"]}\n`],
  ['an entry of ten million values.json', 2, () => `[{"name": [${'"x",'.repeat(10_000_000)}"x"]}]`],
  ['a quote that never closes.csv', 2, () => `name\n"${'x\n'.repeat(20_000_000)}`],
  ['levels in a cell.csv', 2, () => `name,note\n"${'['.repeat(200_000)}",x\n`],
  ['aliases of aliases.yaml', 2, () => `a0: &a0 [x]\n${bomb.join('\n')}\n`],
  ['more aliases than names.yaml', 2, () => lines(20_000, (n) => `- &a${n} x\n- *a${n}\n`)],
  ['more keys than fields.yaml', 2, () => lines(40_000, (n) => `k${n}: 1\n`)],
  ['levels.yaml', 2, () => '['.repeat(100_000)],
  ['levels of lists.yaml', 2, () => '- '.repeat(50_000)],
];

interface Ended {
  readonly exit: number | null;
  readonly stderr: string;
}

type Signal = 'SIGINT' | 'SIGTERM';

const plan = (name: string, signal?: Signal) =>
  shopctl(['batch', 'plan', name, '--do', 'groups create', '-o', 'name'], signal);

/** Runs a command, and sends it a signal while it reads. */
async function shopctl(words: readonly string[], signal?: Signal): Promise<Ended> {
  const env = await signedIn();
  const child = spawn(...program.line(...words), { env, cwd: directory });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (signal !== undefined) {
    await isAtWork(child.pid);
    child.kill(signal);
  }
  return { exit: await exit, stderr };
}

it.each(corpus)('%s ends with exit %i', async (name, exit, content) => {
  writeFileSync(join(directory, name), content());
  const ended = await plan(name);
  expect(ended).toMatchObject({ exit });
  expect(ended.stderr).not.toMatch(/bug in shopctl|RangeError|at \S+:\d+:\d+/);
  expect(ended.stderr.length).toBeLessThan(3_000);
  rmSync(join(directory, name));
});

const requests = corpus.filter(([name]) => /\.(?:json|yaml)$/.test(name));

it.each(requests)('%s as a request ends with exit %i', async (name, exit, content) => {
  writeFileSync(join(directory, name), content());
  const ended = await shopctl(['groups', 'create', '--input', name, '--dry-run']);
  expect(ended).toMatchObject({ exit });
  expect(ended.stderr).not.toMatch(/bug in shopctl|RangeError|Maximum call stack|at \S+:\d+:\d+/);
  expect(ended.stderr.length).toBeLessThan(3_000);
  rmSync(join(directory, name));
});

it.each([
  [
    'SIGINT',
    130,
    'rows.xlsx',
    () => book({ sheet: `${manyRows().replace(/<row r="104857[7-9]".*/, '')}</sheetData></worksheet>` }),
  ],
  ['SIGTERM', 143, 'keys.yaml', () => lines(400_000, (n) => `k${n}: {a: [1, 2, 3], b: "${n}"}\n`)],
] as const)('%s ends the reading of a large file with exit %i (%s)', async (signal, exit, name, content) => {
  writeFileSync(join(directory, name), content());
  expect(await plan(name, signal)).toMatchObject({ exit });
});

it('refuses an order file of millions of entries, and one longer than is parsed soon, before it sums them', async () => {
  writeFileSync(join(directory, 'long.json'), `[${'{"a":1},'.repeat(7_000_000)}{}]`);
  writeFileSync(join(directory, 'many.json'), `[${'{},'.repeat(200_000)}{}]`);
  for (const [name, why] of [
    ['long.json', 'longer than'],
    ['many.json', 'more than 100000 orders'],
  ] as const) {
    const ended = await shopctl(['totals', 'check', name]);
    expect(ended).toMatchObject({ exit: 2, stderr: expect.stringContaining(why) });
  }
});
