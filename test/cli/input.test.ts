import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { loadTree } from '../../src/cli/tree/tree.ts';
import { encodeRequest } from '../../src/client/call.ts';
import { allOperations } from '../../src/contract/areas.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { checkRequest } from '../../src/contract/schema/parse.ts';
import { orderSums, requestContext } from '../support/request-context.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';

const operations = await allOperations();
const { commands } = await loadTree();

const create = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567'];

describe('a value', () => {
  it('is taken from a file with @, from stdin with -, and begins with @ as @@', async () => {
    const { bodyOf, file } = await requestContext();
    const note = file('note.txt', '\ufefftwo\nlines\r\n');
    expect((await bodyOf([...create, '--note', `@${note}`])).note).toBe('two\nlines');
    expect((await bodyOf([...create, '--note', '-'], { stdin: 'from stdin\n' })).note).toBe('from stdin');
    expect((await bodyOf([...create, '--note', '@@lan'])).note).toBe('@lan');
    expect((await bodyOf([...create, '--note='])).note).toBe('');
  });

  it('that begins with a dash stands behind an equals sign', async () => {
    const { bodyOf } = await requestContext();
    expect((await bodyOf([...create, '--note=-5 degrees'])).note).toBe('-5 degrees');
  });

  it('of stdin can be taken once', async () => {
    const { run } = await requestContext();
    const { exit, stderr } = await run([...create, '--note', '-', '--email', '-', '--dry-run'], { stdin: 'x' });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('stdin (-) can be read for one value only')]);
  });

  it('of a file that is not there names the file', async () => {
    const { run, directory } = await requestContext();
    const path = join(directory, 'missing.txt');
    const { exit, stderr } = await run([...create, '--note', `@${path}`, '--dry-run']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('missing.txt')]);
  });

  it('keeps all its digits as an id, and is a number only where the contract has one', async () => {
    const { bodyOf } = await requestContext();
    expect(await bodyOf(['customers', 'get', '9007199254740993'])).toEqual({ id: '9007199254740993' });
    expect(await bodyOf(['groups', 'members', 'add', '--group-id', '9007199254740993', '--customer-id', '7'])).toEqual({
      group_id: '9007199254740993',
      customer_id: '7',
    });
    expect(await bodyOf(['products', 'create', '--name', '007', '--retail-price', '120000'])).toEqual({
      name: '007',
      retail_price: 120000,
    });
  });

  it('that is none of the known names is refused with those there are, or what was meant', async () => {
    const { run } = await requestContext();
    const { exit, stderr } = await run([...create, '--type', 'individal', '--dry-run']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('individual')]);
  });
});

describe('--input', () => {
  const request = { full_name: 'Nguyễn Thị Lan', phone: '0901234567', note: 'a\nb' };
  const yaml = 'full_name: Nguyễn Thị Lan\nphone: "0901234567"\nnote: |-\n  a\n  b\n';

  it.each([
    ['JSON', 'r.json', JSON.stringify(request, null, 2)],
    [
      'JSON with a byte-order mark and CRLF',
      'r.json',
      `\ufeff${JSON.stringify(request, null, 2).replaceAll('\n', '\r\n')}`,
    ],
    ['YAML', 'r.yaml', yaml],
    ['YAML with a byte-order mark and CRLF', 'r.yml', `\ufeff${yaml.replaceAll('\n', '\r\n')}`],
    ['JSON in a file of any name', 'request', JSON.stringify(request)],
  ])('takes %s', async (_, name, text) => {
    const { bodyOf, file } = await requestContext();
    expect(await bodyOf(['customers', 'create', '--input', file(name, text)])).toEqual(request);
  });

  it.each([
    [
      'JSON',
      'r.json',
      '{"full_name":"Lan","phone":"0901234567",\n "phone":"0909999999"}',
      'the key "phone" appears twice at line 2',
    ],
    ['YAML', 'r.yaml', 'full_name: Lan\nphone: "0901234567"\nphone: "0909999999"\n', 'Map keys must be unique'],
    ['YAML', 'r.yaml', 'full_name: Lan\n1: a\n"1": b\n', 'Map keys must be unique at line 3, column 1'],
    ['YAML', 'r.yaml', 'full_name: Lan\n? [a]\n: b\n', 'A key must be a text at line 2, column 3'],
  ])('refuses %s that has a key twice: nobody can tell which one is meant', async (_, name, text, message) => {
    const { run, file } = await requestContext();
    const { exit, stdout, stderr } = await run(['customers', 'create', '--input', file(name, text), '--dry-run']);
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  it('refuses a flag whose JSON has a key twice', async () => {
    const { run } = await requestContext();
    const lines = '[{"product_name":"Trà","quantity":1,"quantity":10}]';
    const { exit, stderr } = await run(['orders', 'create', '--lines', lines, '--dry-run']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--lines: the key "quantity" appears twice')]);
  });

  it('refuses a pair that a flag has twice', async () => {
    const { run } = await requestContext();
    const lines = 'product_name=Trà,quantity=1,retail_price=5000,quantity=10';
    const { exit, stderr } = await run(['orders', 'create', '--lines', lines, '--dry-run']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--lines: quantity appears twice')]);
  });

  it.each(['0x10', '0o17', '!!int 0x10'])(
    'refuses a whole number that a person may read otherwise: %s',
    async (text) => {
      const { run, file } = await requestContext();
      const request = file('r.yaml', `name: Trà\nretail_price: ${text}\n`);
      const { exit, stderr } = await run(['products', 'create', '--input', request, '--dry-run']);
      expect([exit, stderr]).toEqual([
        2,
        expect.stringMatching(/retail_price is written 0.*, which a program reads as 1/),
      ]);
      const octal = file('o.yaml', '%YAML 1.1\n---\nname: Trà\nretail_price: 0150000\n');
      const read = await run(['products', 'create', '--input', octal, '--dry-run']);
      expect([read.exit, read.stderr]).toEqual([2, expect.stringContaining('which a program reads as 53248')]);
      const plain = file('p.yaml', 'name: Trà\nretail_price: 0150000\n');
      expect((await run(['products', 'create', '--input', plain, '--dry-run'])).exit).toBe(0);
    },
  );

  it('takes stdin, and flags and the positional override it', async () => {
    const { bodyOf } = await requestContext();
    const stdin = JSON.stringify({ id: '1', full_name: 'Lan', note: 'x' });
    expect(await bodyOf(['customers', 'update', '2', '--input', '-', '--note', 'y'], { stdin })).toEqual({
      id: '2',
      full_name: 'Lan',
      note: 'y',
    });
  });

  it('is refused where a field is unknown, with the one that was meant', async () => {
    const { run } = await requestContext();
    const words = ['customers', 'create', '--input', '-', '--dry-run', '-o', 'json'];
    const { exit, stderr } = await run(words, { stdin: '{"full_nmae": "Lan", "full_name": "Lan", "phone": "1"}' });
    const error = errorOf(stderr);
    expect([exit, error.field_errors]).toEqual([
      2,
      [{ path: 'full_nmae', message: expect.stringContaining('full_name') }],
    ]);
  });

  it.each([
    ['a list', '[]'],
    ['a bare text', 'hello'],
    ['nothing', ''],
    ['a file that is not a text', '\u0000'],
  ])('is refused where it holds %s', async (_, stdin) => {
    const { run } = await requestContext();
    const { exit, stdout, stderr } = await run(['customers', 'create', '--input', '-', '--dry-run'], { stdin });
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/stdin/);
  });

  it('keeps an integer beyond the exact ones as digits where the contract has an id, and refuses it as a number', async () => {
    const { bodyOf, run } = await requestContext();
    const stdin = 'id: 9223372036854775807\n';
    expect(await bodyOf(['customers', 'get', '--input', '-'], { stdin })).toEqual({ id: '9223372036854775807' });
    const words = ['products', 'create', '--input', '-', '--dry-run'];
    const { exit, stderr } = await run(words, { stdin: 'name: Tea\nretail_price: 9007199254740993\n' });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('retail_price')]);
  });
});

/** A skeleton as a person fills it in: whatever stands open gets a value of its type. */
function filledIn(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => filledIn(schema.items ?? { type: 'string' }, item));
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, inner]) => {
      return [name, filledIn(schema.properties?.[name] ?? { type: 'string' }, inner)] as const;
    });
    return Object.fromEntries(fields);
  }
  if (value !== null) return value;
  if (schema.properties !== undefined) return {};
  if (schema.type === 'array') return [filledIn(schema.items ?? { type: 'string' }, null)];
  if (schema.enum !== undefined) return schema.enum.find((name) => name !== '' && name !== 'unknown');
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return schema.format === 'int64' ? '1' : 'filled in';
}

/** The form of a request that has what is required and nothing else, every field open; a record without such is open itself. */
function required(schema: JsonSchema): Record<string, unknown> {
  const names = schema.required ?? [];
  return Object.fromEntries(names.map((name) => [name, openField(schema.properties?.[name] ?? schema)]));
}

function openField(schema: JsonSchema): unknown {
  if (schema.items?.properties !== undefined) return [required(schema.items)];
  return schema.properties === undefined || (schema.required ?? []).length === 0 ? null : required(schema);
}

describe('--skeleton', () => {
  const homes = new Set(
    commands.filter(({ flags }) => flags.some(({ name }) => name === 'skeleton')).map((c) => c.command),
  );
  const own = operations
    .filter(({ command }) => homes.has(command))
    .map((each): [string, Operation] => [each.id, each]);

  it('is there for every operation that has a command of its own', () => {
    const without = operations.filter(({ command }) => !homes.has(command));
    expect(without.map(({ id }) => id)).toEqual(['partner.Shop/AuthorizeShop']);
  });

  const printed = async ({ id, command }: Operation, ...more: string[]) => {
    const { run } = await requestContext();
    const as = ['--profile', id.startsWith('partner') ? 'partner' : 'shop'];
    const { exit, stdout, stderr } = await run([...command.split(' '), '--skeleton', ...as, ...more]);
    expect([exit, stderr]).toEqual([0, '']);
    return stdout;
  };

  it.each(own)(
    'of %s is open where something is required, and a request once that is filled in',
    async (_, operation) => {
      const schema = jsonSchema(operation.request);
      const open = required(schema);
      const yaml = await printed(operation);
      const isEmpty = Object.keys(schema.required ?? []).length === 0;
      expect(parseYaml(yaml)).toEqual(isEmpty ? null : open);
      expect(JSON.parse(await printed(operation, '-o', 'json'))).toEqual(open);
      const { rules: __, ...withoutRules } = operation;
      const errors = (given: unknown) => {
        const checked = checkRequest(withoutRules, given);
        return checked.ok ? [] : checked.errors;
      };
      for (const { message } of errors(open)) expect(message).toMatch(/^(is required|must have at least 1 item)$/);
      expect(errors(open).length > 0).toBe(!isEmpty);
      expect(errors(filledIn(schema, open))).toEqual([]);
    },
  );

  it.each(own)('of %s says nothing more with all its fields, until somebody does', async (_, operation) => {
    const schema = jsonSchema(operation.request);
    const all = JSON.parse(await printed(operation, '-o', 'json', '--all-fields'));
    const fillable = Object.entries(schema.properties ?? {}).filter(([, field]) => field.maxItems !== 0);
    expect(Object.keys(all)).toEqual(fillable.map(([name]) => name));
    const { rules: __, ...withoutRules } = operation;
    const onlyRequired = filledIn(schema, required(schema)) as Record<string, unknown>;
    const asked = { ...all, ...onlyRequired };
    expect(encodeRequest(withoutRules, asked)).toBe(encodeRequest(withoutRules, onlyRequired));
    // With the # and one blank taken away, all fields are there to be filled in.
    const uncommented = (await printed(operation))
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^( *)# /, '$1'));
    expect(Object.keys(parseYaml(uncommented.join('\n')) ?? {})).toEqual(fillable.map(([name]) => name));
  });

  it('holds what was given already, by its place or by flags', async () => {
    const { run } = await requestContext();
    const words = ['customers', 'update', '2790133547456004247', '--full-name', 'Lan: #1', '--skeleton'];
    const given = { id: '2790133547456004247', full_name: 'Lan: #1' };
    const yaml = await run([...words, '--profile', 'shop']);
    expect([yaml.exit, parseYaml(yaml.stdout)]).toEqual([0, given]);
    expect(yaml.stdout).toContain('# phone:');
    expect(JSON.parse((await run([...words, '--profile', 'shop', '-o', 'json'])).stdout)).toEqual(given);
  });

  it.each(['customers list', 'orders list', 'account show'])('of %s is a request as it is', async (words) => {
    const { run } = await shopWorld();
    const command = [...words.split(' '), '--profile', 'shop', '-o', 'json'];
    const { stdout: stdin } = await run([...words.split(' '), '--profile', 'shop', '--skeleton']);
    const sent = await run([...command, '--input', '-'], { stdin });
    expect(sent).toMatchObject({ exit: 0, stdout: (await run(command)).stdout });
    const empty = await run([...command, '--input', '-'], { stdin: '\n' });
    expect([empty.exit, empty.stderr]).toEqual([2, expect.stringContaining('must hold one object')]);
  });

  it('changes nothing but what was filled in', async () => {
    const world = await shopWorld();
    const { service, run } = world;
    const shop = (operation: string, body: object) => service.post(operation, body, service.shop.apiKey);
    const customer = { full_name: 'Lan', phone: '0901234567', email: 'lan@example.com', note: 'old', gender: 'female' };
    const { body: before } = await shop('shop.Customer/CreateCustomer', customer);
    const { body: product } = await shop('shop.Product/CreateProduct', { name: 'Tea', list_price: 9, retail_price: 8 });
    const send = async (words: string, ...filled: [from: string, to: string][]) => {
      const form = await run([...words.split(' '), '--profile', 'shop', '--skeleton']);
      const stdin = filled.reduce((text, [from, to]) => {
        expect(text).toContain(from);
        return text.replace(from, to);
      }, form.stdout);
      return run([...words.split(' '), '--profile', 'shop', '--input', '-'], { stdin });
    };
    const sent = await send('customers update', ['id:', `id: "${before.id}"`], ['# note:', 'note: new']);
    expect([sent.exit, sent.stderr]).toEqual([0, '']);
    const { body: after } = await shop('shop.Customer/GetCustomer', { id: before.id });
    expect(after).toEqual({ ...before, note: 'new', updated_at: after.updated_at });
    await send('products update', ['id:', `id: "${product.id}"`], ['# name:', 'name: Green tea']);
    const { body: renamed } = await shop('shop.Product/GetProduct', { id: product.id });
    expect(renamed).toEqual({ ...product, name: 'Green tea', updated_at: renamed.updated_at });
    const untouched = await send('customers update');
    expect([untouched.exit, untouched.stderr]).toEqual([2, expect.stringContaining('--id')]);
  });
});

describe('what is missing', () => {
  it('is named all at once, as flags, where nobody can be asked', async () => {
    const { run } = await requestContext();
    const { exit, stdout, stderr } = await run(['addresses', 'create', '--customer-id', '1', '-o', 'json']);
    const error = errorOf(stderr);
    expect([exit, stdout]).toEqual([2, '']);
    const missing = ['full_name', 'phone', 'province', 'district', 'ward', 'address1'];
    expect(error.field_errors.map(({ path }: { path: string }) => path).sort()).toEqual(missing.toSorted());
    for (const name of missing) expect(error.hint).toContain(`--${name.replace('_', '-')}`);
  });

  it('is asked for at a terminal, in the order of the contract, and what was given is not', async () => {
    const { run } = await requestContext();
    const words = ['addresses', 'create', '--customer-id', '7', '--province', 'Hà Nội', '--curl'];
    const answers = ['Lan', '0901234567', 'Cầu Giấy', 'Dịch Vọng', '12 ngõ 5'];
    const { exit, stdout, prompter } = await run(words, { terminal: true, answers });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(prompter.asked.map((question) => question.split(' – ')[0])).toEqual([
      'full name',
      'phone',
      'district',
      'ward',
      'address1',
    ]);
    expect(stdout).toContain('"full_name":"Lan"');
    expect(stdout).toContain('"customer_id":"7"');
  });

  it('inside a list of objects is asked for entry by entry, and in a part that was begun', async () => {
    const { run } = await requestContext();
    const words = ['orders', 'create', '--curl', ...orderSums(245000, 20000, 3)];
    const { exit, stdout, prompter } = await run(words, {
      terminal: true,
      answers: ['Tea', '2', '120000', '110000', true, 'Rice', '1', '5000', '5000', false],
    });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(stdout).toContain('{"product_name":"Tea","quantity":2,"retail_price":120000,"payment_price":110000}');
    expect(stdout).toContain('{"product_name":"Rice","quantity":1,"retail_price":5000,"payment_price":5000}');
  });

  it('is checked as it is typed', async () => {
    const { run } = await requestContext();
    const words = ['groups', 'members', 'add', '--group-id', '1', '--curl'];
    const { exit, stderr } = await run(words, { terminal: true, answers: ['seven'] });
    expect(exit).toBe(1);
    expect(stderr).toContain('must be an id, digits only');
  });

  it('is asked for again if it is impossible, and not refused once all is answered', async () => {
    const { run } = await requestContext();
    const words = ['customers', 'create', '--full-name', 'Lan', '--curl'];
    const { exit, stderr } = await run(words, { terminal: true, answers: ['không có'] });
    expect([exit, stderr]).toEqual([1, expect.stringContaining('is not a phone number')]);
    expect(stderr).not.toContain('--phone');
    const kept = await run(words, { terminal: true, answers: ['0901 234 567'] });
    expect([kept.exit, kept.stdout]).toEqual([0, expect.stringContaining('"phone":"0901 234 567"')]);
  });

  it('ends with 130 when the person ends the questions', async () => {
    const { run } = await requestContext();
    const { PromptEnded } = await import('../../src/platform/terminal/prompter.ts');
    const { exit, stdout } = await run(['customers', 'create'], { terminal: true, answers: [new PromptEnded()] });
    expect([exit, stdout]).toEqual([130, '']);
  });
});

it('a text that begins with @ and is no file is told with how to write it', async () => {
  const world = await shopWorld();
  const { exit, stderr } = await world.run([
    'customers',
    'create',
    '--full-name',
    '@lan',
    '--phone',
    '0901234567',
    '--profile',
    'shop',
  ]);
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/no such file: lan\n.*@@text/s)]);
});
