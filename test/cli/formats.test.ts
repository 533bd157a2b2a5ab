import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatNames } from '../../src/cli/print/formats.ts';
import { testMachine } from '../support/context.ts';
import { json } from '../support/scripted-transport.ts';

const customers = [
  {
    id: '9007199254740993',
    shop_id: '1',
    full_name: 'Nguyễn Thị Lan',
    phone: '0901',
    note: '=1+1',
    status: 'P',
    deleted: false,
    created_at: '2026-01-31T08:00:00Z',
    future_field: { kept: [1, 2] },
  },
  {
    id: '2',
    shop_id: '1',
    full_name: 'Evil \u001b[31m\u202ename',
    phone: null,
    note: 'a "quoted", one\nand two',
    status: 'X',
    deleted: true,
    created_at: null,
  },
  { id: '3', shop_id: '1', full_name: 'Lê Hoà'.normalize('NFD'), phone: '0903', note: '', status: 'Z', deleted: false },
];

/** A shop with these customers, the first of which every lookup finds. */
async function shop() {
  const machine = testMachine(async ({ url }) =>
    url.endsWith('/GetCustomer') ? json(200, customers[0]) : json(200, { customers, paging: { prev: '', next: '' } }),
  );
  await machine.save({
    version: 1,
    current_profile: 'shop',
    profiles: { shop: { kind: 'shop', base_url: 'http://127.0.0.1:4010', api_key: '1:key-of-a-test' } },
  });
  const printed = async (...words: string[]) => {
    const { exit, stdout, stderr } = await machine.run(words);
    expect([exit, stderr]).toEqual([0, '']);
    return stdout;
  };
  return { ...machine, printed };
}

describe('a list', () => {
  it('is one array of what the service sent, unknown fields too, in JSON', async () => {
    const { printed } = await shop();
    expect(JSON.parse(await printed('customers', 'list', '-o', 'json'))).toEqual(customers);
    expect(await printed('customers', 'list', '--json')).toBe(await printed('customers', 'list', '-o', 'json'));
  });

  it('is a record a line in jsonl', async () => {
    const { printed } = await shop();
    const lines = (await printed('customers', 'list', '-o', 'jsonl')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(customers);
  });

  it('is the same data in YAML', async () => {
    const { printed } = await shop();
    expect(parse(await printed('customers', 'list', '-o', 'yaml'))).toEqual(customers);
  });

  it('is an id a line as names', async () => {
    const { printed } = await shop();
    expect(await printed('customers', 'list', '-o', 'name')).toBe('9007199254740993\n2\n3\n');
  });

  it('is RFC 4180 as csv, and no spreadsheet runs it unless told to', async () => {
    const { printed } = await shop();
    const words = ['customers', 'list', '-o', 'csv', '--fields', 'id,note,phone'];
    expect(await printed(...words)).toBe(
      'id,note,phone\r\n9007199254740993,\'=1+1,0901\r\n2,"a ""quoted"", one\nand two",\r\n3,,0903\r\n',
    );
    expect(await printed(...words, '--no-csv-guard')).toContain('9007199254740993,=1+1,0901\r\n');
  });

  it('is a table with words beside letters, whose columns stand straight under combining marks', async () => {
    const { printed } = await shop();
    const lines = (await printed('customers', 'list', '--fields', 'full_name,status,created_at', '--utc')).split('\n');
    expect(lines[1]).toBe('Nguyễn Thị Lan           P active  2026-01-31 08:00Z');
    expect(lines[2]).toBe('Evil \\x1b[31m\\u202ename  X');
    expect(lines[3]?.normalize('NFC')).toBe('Lê Hoà                   Z new');
  });

  it('lets nothing steer the terminal in any format', async () => {
    const { printed } = await shop();
    for (const format of formatNames) {
      expect(await printed('customers', 'list', '-o', format)).not.toMatch(/[\u001b\u202e]/);
    }
  });
});

describe('one record', () => {
  const get = ['customers', 'get', '9007199254740993'];

  it('is what the service sent in JSON and YAML, on one line in jsonl', async () => {
    const { printed } = await shop();
    expect(JSON.parse(await printed(...get, '-o', 'json'))).toEqual(customers[0]);
    expect(parse(await printed(...get, '-o', 'yaml'))).toEqual(customers[0]);
    expect(await printed(...get, '-o', 'jsonl')).toBe(`${JSON.stringify(customers[0])}\n`);
  });

  it('is its id as a name, a header and a row as csv', async () => {
    const { printed } = await shop();
    expect(await printed(...get, '-o', 'name')).toBe('9007199254740993\n');
    expect(await printed(...get, '-o', 'csv', '--fields', 'id,phone')).toBe('id,phone\r\n9007199254740993,0901\r\n');
  });

  it('is a sheet with a field a line as a table', async () => {
    const { printed } = await shop();
    expect(await printed(...get, '--fields', 'id,status,deleted')).toBe(
      'id       9007199254740993\nstatus   P active\ndeleted  no\n',
    );
  });

  it('is cut to the fields that are asked for, and to what a query makes of it', async () => {
    const { printed } = await shop();
    expect(JSON.parse(await printed(...get, '--json', '--fields', 'phone,id'))).toEqual({
      phone: '0901',
      id: '9007199254740993',
    });
    expect(await printed(...get, '--json', '--query', 'future_field.kept[1]')).toBe('2\n');
    expect(await printed(...get, '--query', '[id, full_name]', '-o', 'jsonl')).toBe(
      '"9007199254740993"\n"Nguyễn Thị Lan"\n',
    );
  });
});

describe('the format', () => {
  it('comes from the flag, the variable, the profile, in that order', async () => {
    const { run, settings, save } = await shop();
    const get = ['customers', 'get', '9007199254740993', '--fields', 'id'];
    const stored = await settings();
    const { shop: profile } = stored.profiles;
    if (profile === undefined) throw new Error('no profile');
    await save({ ...stored, profiles: { shop: { ...profile, output: 'yaml' } } });
    expect((await run(get)).stdout).toBe('id: "9007199254740993"\n');
    expect((await run(get, { env: { SHOPCTL_OUTPUT: 'jsonl' } })).stdout).toBe('{"id":"9007199254740993"}\n');
    expect((await run([...get, '-o', 'name'], { env: { SHOPCTL_OUTPUT: 'jsonl' } })).stdout).toBe('9007199254740993\n');
  });

  it('does not change by itself at a terminal or in a pipe', async () => {
    const { run } = await shop();
    const words = ['customers', 'list', '--fields', 'id,phone'];
    const [piped, shown] = [await run(words), await run(words, { terminal: true, env: { NO_COLOR: '1' } })];
    expect(shown.stdout).toBe(piped.stdout);
  });
});

describe('what is sent raw', () => {
  it('is printed as JSON, as the service answered it, unless another format is asked for', async () => {
    const { printed, run } = await shop();
    const raw = ['api', 'shop.Customer/GetCustomer', '--data', '{"id":"9007199254740993"}'];
    expect(JSON.parse(await printed(...raw))).toEqual(customers[0]);
    expect(parse(await printed(...raw, '-o', 'yaml')).future_field).toEqual({ kept: [1, 2] });
    expect((await run([...raw, '-o', 'name'])).stdout).toBe('9007199254740993\n');
  });
});

describe('an error', () => {
  it.each(['table', 'csv', 'yaml', 'name'])('is for people where the format is %s', async (format) => {
    const { run } = await shop();
    const { exit, stdout, stderr } = await run(['groups', 'get', 'x', '-o', format]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^shopctl: error: .*\nhint: .*\n$/);
  });

  it.each(['json', 'jsonl'])('is one line of JSON where the format is %s', async (format) => {
    const { run } = await shop();
    const { exit, stdout, stderr } = await run(['groups', 'get', 'x', '-o', format]);
    expect([exit, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    const { error, schema_version } = JSON.parse(stderr);
    expect([schema_version, Object.keys(error)]).toEqual([
      1,
      ['code', 'message', 'hint', 'exit_code', 'http_status', 'meta', 'operation', 'field_errors', 'outcome'],
    ]);
  });
});

it.each(['version', '--version'])(
  'prints the version alone for people, and as a record for programs: %s',
  async (word) => {
    const { run } = testMachine(async () => json(500, {}));
    const shown = async (...more: string[]) => {
      const { exit, stdout, stderr } = await run([word, ...more]);
      expect([exit, stderr]).toEqual([0, '']);
      return stdout;
    };
    const text = (await shown()).trim();
    expect(text).not.toMatch(/[\s{]/);
    expect([await shown('-o', 'table'), await shown('-o', 'name')]).toEqual([`${text}\n`, `${text}\n`]);
    for (const flags of [['--json'], ['-o', 'json'], ['-o', 'jsonl']]) {
      expect(JSON.parse(await shown(...flags))).toEqual({ version: text });
    }
    expect(parse(await shown('-o', 'yaml'))).toEqual({ version: text });
    expect(await shown('-o', 'csv')).toBe(`version\r\n${text}\r\n`);
  },
);
