import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runTexts } from '../../src/cli/run/texts.ts';
import { groups } from '../../src/cli/tree/groups.ts';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { labelTexts } from '../../src/contract/labels.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import type { Column, View } from '../../src/contract/view.ts';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { inEnglish } from '../../src/domain/language.ts';
import { viewOfOutput } from '../../src/operations/actions/views.ts';
import { testMachine } from '../support/context.ts';
import { shopWorld } from '../support/shop-world.ts';

const nobody = () => {
  throw new Error('nothing is to be sent');
};

/** The value of a setting as a run finds it. */
async function languageIn(machine: ReturnType<typeof testMachine>, env: Record<string, string>, terminal = true) {
  const { stdout } = await machine.run(['profiles', 'list'], { env, terminal });
  return stdout.includes('TÊN') ? 'vi' : 'en';
}

const one = { kind: 'shop', base_url: 'https://shop.example' } as const;

describe('the language of a run', () => {
  it('is that of the variable, of the profile, of the settings, of the locale, in this order', async () => {
    const machine = testMachine(nobody);
    const vi = { settings: { lang: 'vi' } };
    await machine.save({ version: 1, profiles: { one, other: { ...one, ...vi } }, current_profile: 'one' });
    expect(await languageIn(machine, {})).toBe('en');
    expect(await languageIn(machine, { SHOPCTL_LANG: 'vi' })).toBe('vi');
    expect(await languageIn(machine, { SHOPCTL_PROFILE: 'other' })).toBe('vi');
    expect(await languageIn(machine, { SHOPCTL_PROFILE: 'other', SHOPCTL_LANG: 'en' })).toBe('en');
    expect(await languageIn(machine, { SHOPCTL_PROFILE: 'other', LC_ALL: 'C' })).toBe('vi');
    await machine.save({ version: 1, profiles: { one, other: { ...one, ...vi } }, current_profile: 'one', ...vi });
    expect(await languageIn(machine, {})).toBe('vi');
    expect((await machine.run(['--lang', 'en', 'profiles', 'list'])).stdout).toMatch(/^NAME/);
  });

  it('is that of the locale where somebody reads it', async () => {
    const machine = testMachine(nobody);
    await machine.save({ version: 1, profiles: { one } });
    expect(await languageIn(machine, { LANG: 'vi_VN.UTF-8' })).toBe('vi');
    expect(await languageIn(machine, { LANG: 'en_US.UTF-8', LC_MESSAGES: 'vi_VN' })).toBe('vi');
    expect(await languageIn(machine, { LANG: 'vi_VN.UTF-8', LC_ALL: 'C' })).toBe('en');
    expect(await languageIn(machine, { LANG: 'vi_VN.UTF-8', LC_ALL: 'POSIX' })).toBe('en');
    expect(await languageIn(machine, { LANG: 'vi_VN.UTF-8', CI: 'true' })).toBe('en');
    expect(await languageIn(machine, { LANG: 'vi_VN.UTF-8' }, false)).toBe('en');
    expect(await languageIn(machine, { LANG: 'visible' })).toBe('en');
  });

  it('is offered once where the locale is Vietnamese and English is spoken, to somebody who reads it', async () => {
    const machine = testMachine(nobody);
    await machine.save({ version: 1, profiles: { one } });
    const said = async (env: Record<string, string>, terminal: boolean, ...words: readonly string[]) =>
      (await machine.run(['profiles', 'list', ...words], { env, terminal, redirected: true })).stderr;
    const locale = { LANG: 'vi_VN.UTF-8' };
    // Nobody is there, a program reads it, or English was chosen.
    expect(await said(locale, false)).toBe('');
    expect(await said({ ...locale, CI: 'true' }, true)).toBe('');
    expect(await said({ ...locale, SHOPCTL_AGENT: '1' }, true)).toBe('');
    expect(await said({ ...locale, SHOPCTL_LANG: 'en' }, true)).toBe('');
    expect(await said({ LANG: 'en_US.UTF-8' }, true)).toBe('');
    expect(await said({ ...locale, LC_ALL: 'C' }, true)).toBe('');
    for (const words of [['-q'], ['-o', 'json'], ['--dry-run']]) expect(await said(locale, true, ...words)).toBe('');
    expect(await said(locale, true)).toBe('Tiếng Việt: shopctl config set lang vi\n');
    expect(await said(locale, true)).toBe('');
  });

  it('is refused where it is none, by where it was said', async () => {
    const machine = testMachine(nobody);
    const ofVariable = await machine.run(['profiles', 'list'], { env: { SHOPCTL_LANG: 'fr' } });
    expect(ofVariable).toMatchObject({ exit: 14, stderr: 'shopctl: error: SHOPCTL_LANG must be en or vi\n' });
    expect((await machine.run(['--lang', 'fr', 'profiles', 'list'])).exit).toBe(2);
    expect((await machine.run(['config', 'set', 'lang', 'fr'])).exit).toBe(2);
  });

  it('is saved once for every profile, and for one that is named', async () => {
    const machine = testMachine(nobody);
    expect((await machine.run(['config', 'set', 'lang', 'vi'])).exit).toBe(0);
    expect(await machine.settings()).toMatchObject({ settings: { lang: 'vi' } });
    await machine.save({ ...(await machine.settings()), profiles: { one }, current_profile: 'one' });
    expect((await machine.run(['config', 'get', 'lang', '-o', 'json'])).stdout).toContain('"origin": "settings"');
    expect((await machine.run(['config', 'set', 'lang', 'en', '--profile', 'one'])).exit).toBe(0);
    expect(await machine.settings()).toMatchObject({
      settings: { lang: 'vi' },
      profiles: { one: { settings: { lang: 'en' } } },
    });
    // The profile in force has its own: that is the one that is changed and removed.
    expect((await machine.run(['config', 'unset', 'lang'])).exit).toBe(0);
    expect(await machine.settings()).toEqual({
      version: 1,
      profiles: { one },
      current_profile: 'one',
      settings: { lang: 'vi' },
    });
    expect((await machine.run(['config', 'unset', 'lang'])).exit).toBe(0);
    expect(await machine.settings()).toEqual({ version: 1, profiles: { one }, current_profile: 'one' });
  });
});

/** The leaves of a catalogue, by their paths. */
function textsOf(catalogue: object, path = ''): [string, unknown][] {
  return Object.entries(catalogue).flatMap(([name, text]): [string, unknown][] =>
    typeof text === 'object' && text !== null ? textsOf(text, `${path}${name}.`) : [[`${path}${name}`, text]],
  );
}

/** The catalogues in the files of such names, by the names of their subjects. */
async function cataloguesIn(file: RegExp, end: string): Promise<Map<string, object>> {
  const source = fileURLToPath(new URL('../../src', import.meta.url));
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => file.test(basename(path)));
  const modules = await Promise.all(paths.map(async (path) => fieldsIn(await import(join(source, path)))));
  const found = modules.flatMap((module) => Object.entries(module)).filter(([name]) => name.endsWith(end));
  return new Map(found.map(([name, value]) => [name.slice(0, -end.length), Object(value)]));
}

describe('a catalogue', async () => {
  const all = await cataloguesIn(/^(?:texts|labels)\.ts$/, 'Texts');
  const others = await cataloguesIn(/^(?:texts|labels)\.vi\.ts$/, 'Vietnamese');
  const pairs = [...all].flatMap(([subject, english]) => {
    const own = new Map(textsOf(others.get(subject) ?? {}));
    return textsOf(english).map(([path, text]) => ({ path: `${subject}.${path}`, text, other: own.get(path) }));
  });

  it('has every text in Vietnamese, as the same kind of text', () => {
    const wrong = pairs.filter(({ text, other }) => typeof text !== typeof other);
    expect(wrong.map(({ path }) => path)).toEqual([]);
    expect(pairs.length).toBeGreaterThan(20);
  });

  it('is what a Vietnamese run says', () => {
    // The page has its own, in the browser.
    const ofRuns = [...all].filter(([name]) => name !== 'page');
    const isSilent = ([name, english]: readonly [string, object]) => {
      const spoken = fieldsIn(vietnamese.textsOf(name, english));
      return Object.entries(others.get(name) ?? {}).some(([text, said]) => spoken[text] !== said);
    };
    const silent = ofRuns.filter(isSilent);
    expect(silent.map(([name]) => name)).toEqual([]);
  });
});

/** Names that are the same in both languages. */
const alike: ReadonlySet<string> = new Set([
  '',
  'console',
  'email',
  'file',
  'id',
  'pid',
  'profile',
  'sandbox',
  'shop',
  'website',
]);

/** The view that is derived from an output, if it has columns. */
function viewIfAny(output: Parameters<typeof viewOfOutput>[0]): View | undefined {
  try {
    return viewOfOutput(output);
  } catch {
    return undefined;
  }
}

/** The columns of a view, those of its entries among them. */
const columnsOf = (columns: readonly Column[] = []): readonly Column[] =>
  columns.flatMap((column) => [column, ...columnsOf(column.each)]);

/** The form of what an action returns, or of the records of it that its view shows; that of nothing where JSON has none. */
function recordOf(output: Parameters<typeof viewOfOutput>[0], { list }: View): JsonSchema {
  try {
    const schema = jsonSchema(output);
    const own = list === undefined ? schema : (schema.properties?.[list] ?? schema);
    return own.items ?? own;
  } catch {
    return { type: 'object' };
  }
}

/** The values of the field at a path, where they are some of a few. */
function valuesAt({ properties = {}, items, enum: own }: JsonSchema, path: readonly string[]): readonly string[] {
  const [name, ...inner] = path;
  if (name === undefined) return (own ?? items?.enum ?? []).filter((value) => value !== '');
  const field = properties[name] ?? items?.properties?.[name];
  return field === undefined ? [] : valuesAt(field, inner);
}

/** Every view that a command has, of a list and of a record that is chosen by an input alike, and the form of its records. */
async function views(): Promise<readonly (readonly [words: string, view: View, record: JsonSchema])[]> {
  const loaded = await Promise.all(groups.map((group) => group.load()));
  const actions = loaded.flatMap(({ commands }) => commands.flatMap((command) => command.actions));
  return actions.flatMap(({ view: declared, output, words }) => {
    const view = typeof declared === 'function' ? inEnglish(() => declared({})) : (declared ?? viewIfAny(output));
    return view === undefined ? [] : [[words.join(' '), view, recordOf(output, view)] as const];
  });
}

describe('the tables', () => {
  it('have no two columns of one Vietnamese name', async () => {
    const { heading } = vietnamese.textsOf('label', labelTexts);
    const twice = (await views()).flatMap(([words, { columns }]) => {
      const names = columns.map(
        ({ header, path, kind }) => [header ?? path, heading(header ?? path, kind, path)] as const,
      );
      return names.flatMap(([name, own], at) => {
        const other = names.findIndex((one) => one[1] === own);
        return other === at || names[other]?.[0] === name
          ? []
          : [`${words}: ${names[other]?.[0]} and ${name} are ${own}`];
      });
    });
    expect(twice).toEqual([]);
  });

  it('have a Vietnamese word for every column that a command has', async () => {
    const { heading } = vietnamese.textsOf('label', labelTexts);
    const shown = await views();
    const names = shown.flatMap(([, { columns }]) => columnsOf(columns).map(({ header, path }) => header ?? path));
    // Of a name of several, such as `partner.id`, each has a word.
    const untold = (name: string) => {
      const [parts, words] = [name.split('.'), heading(name).split(' · ')];
      return words.some((word, at) => word === parts[at] && !alike.has(word));
    };
    expect([...new Set(names)].filter(untold)).toEqual([]);
    expect(names.length).toBeGreaterThan(1000);
  });

  it('have a Vietnamese word for every value that is one of a few', async () => {
    const { state } = vietnamese.textsOf('label', labelTexts);
    const shown = (await views()).flatMap(([words, view, record]) =>
      columnsOf(view.columns).map(({ path, kind }) => ({
        words,
        path,
        kind,
        values: valuesAt(record, path.split('.')),
      })),
    );
    // `schema` tells programs what there is.
    const ofFew = shown.filter(({ words, values }) => values.length > 0 && words !== 'schema');
    const isWorded = (kind: string | undefined, values: readonly string[]) =>
      kind === 'state'
        ? values.every((value) => state(value) !== value || value === 'shop')
        : ['status', 'activity', 'inspection', 'sentence'].includes(kind ?? '');
    const untold = ofFew.filter(({ kind, values }) => !isWorded(kind, values));
    expect([ofFew.length > 100, untold.map(({ words, path }) => `${words}: ${path}`)]).toEqual([true, []]);
  });
});

/** The fields that a record cannot do without, those of its records among them. */
function requiredIn({ required = [], properties = {}, items }: JsonSchema): readonly string[] {
  const inner = required.flatMap((name) => (properties[name] === undefined ? [] : requiredIn(properties[name])));
  return [...required, ...inner, ...(items === undefined ? [] : requiredIn(items))];
}

it('asks for every field that may be missing by a Vietnamese name', async () => {
  const { heading } = vietnamese.textsOf('label', labelTexts);
  const { fields } = vietnamese.textsOf('run', runTexts);
  const loaded = await Promise.all(groups.map((group) => group.load()));
  const actions = loaded.flatMap(({ commands }) => commands.flatMap((command) => command.actions));
  const names = new Set(actions.flatMap(({ input }) => requiredIn(jsonSchema(input))));
  expect([...names].filter((name) => fields[name] === undefined && heading(name) === name && !alike.has(name))).toEqual(
    [],
  );
  expect(names.size).toBeGreaterThan(40);
});

const sheet = `Mã đơn,Tên khách,SĐT,Địa chỉ,Sản phẩm,SL,Đơn giá,Thu hộ
A1,Lan,0912345678,"12 Lê Lợi, Phường Bến Nghé, Quận 1, TP HCM",Áo,1,350000,350000
A2,Hoa,091234567,"12 Lê Lợi, Phường Bến Nghé, Quận 1, TP HCM",Áo,hai,350000,350000
`;

describe('what a program reads', () => {
  const words = [
    ['orders', 'list'],
    ['orders', 'get', 'nowhere'],
    ['orders', 'list', '--limit', 'many'],
    ['products', 'list'],
    ['customers', 'create', '--full-name', 'Lan', '--phone', 'none'],
    ['batch', 'plan', 'sheet.csv', '--to', 'shipping create'],
    ['batch', 'list'],
    ['ledger', 'list'],
    ['config', 'list'],
    ['report', 'late'],
    ['orders', 'create', '--input', '-', '-n'],
    ['shipping', 'cancel', 'nowhere', '--yes'],
  ];
  const formats = ['json', 'jsonl', 'csv', 'yaml', 'name'];

  it('never changes with the language', async () => {
    const { directory, run } = await shopWorld();
    writeFileSync(join(directory, 'sheet.csv'), sheet);
    const differing: string[] = [];
    let read = 0;
    for (const line of words) {
      for (const format of formats) {
        const said = async (lang: string) => {
          const { exit, stdout, stderr } = await run([...line, '-o', format], {
            env: { SHOPCTL_LANG: lang },
            stdin: '{"lines":[]}',
          });
          read += stdout.length + stderr.length;
          return `${exit}\n${stdout}\n${stderr}`.replaceAll(/\b(?:en|vi)\b/g, 'LANG');
        };
        if ((await said('en')) !== (await said('vi'))) differing.push([...line, format].join(' '));
      }
    }
    expect(differing).toEqual([]);
    expect(read).toBeGreaterThan(20_000);
  });

  it('but what a person reads does', async () => {
    const { run } = await shopWorld();
    const env = { SHOPCTL_LANG: 'vi' };
    expect((await run(['profiles', 'list'], { env })).stdout).toMatch(/^TÊN\s+ĐANG DÙNG\s+LOẠI/);
    expect((await run(['profiles', 'list', '--fields', 'name,kind'], { env })).stdout).toMatch(/^NAME\s+KIND/);
  });
});
