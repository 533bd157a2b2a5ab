import { describe, expect, it } from 'vitest';
import { type CommandData, loadTree } from '../../src/cli/tree/tree.ts';
import { allOperations } from '../../src/contract/areas.ts';
import { run } from '../../src/main.ts';
import { offlineContext } from '../support/offline-context.ts';
import { shellWords } from '../support/shell-words.ts';

const tree = await loadTree();
const operations = await allOperations();
const names = new Set(tree.commands.map(({ command }) => command));
const globals = new Set(tree.global_flags.map(({ name }) => name));
const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

const each = (group: string, words: string) => words.split(' ').map((word) => `${group} ${word}`);
const FIVE = 'list get create update delete';
const MEMBERS = 'list add remove';

/** The homes that users may rely on; the operations' own come from the contract. */
const homes = [
  ...each('auth', 'login status logout shops use token'),
  ...['customers', 'addresses', 'groups', 'products', 'variants', 'collections'].flatMap((group) => each(group, FIVE)),
  ...['groups members', 'collections members'].flatMap((group) => each(group, MEMBERS)),
  'inventory list',
  ...each('orders', 'list get create confirm cancel'),
  ...each('shipping', 'services create get cancel fulfillment'),
  ...each('fulfillments', 'list get'),
  ...each('shipnow', 'services create get cancel'),
  ...each('webhooks', 'list create delete'),
  'account show',
  'locations list',
  'service version',
  'history changes',
  'quote',
  'ship',
  ...each('totals', 'check fill'),
  'api',
  ...each('sandbox', 'start stop status exec credentials sign-in unlink advance deliveries log reset openapi'),
  ...each('sandbox snapshot', 'save restore list remove'),
  ...each('sandbox clock', 'freeze set advance real'),
  ...each('sandbox faults', 'add list clear'),
  'commands',
  'schema',
  'completion',
  'doctor',
];

/** One line for each command that something is wrong with. */
const wrong = (judge: (command: CommandData) => readonly string[]) =>
  tree.commands.flatMap((command) => judge(command).map((what) => `${command.command}: ${what}`));

describe('the command tree', () => {
  it('was seen: it has groups, commands and flags', () => {
    expect(tree.commands.length).toBeGreaterThan(operations.length);
    expect(tree.commands.flatMap(({ flags }) => flags).length).toBeGreaterThan(300);
  });

  it('gives every operation of the contract exactly one home', () => {
    const astray = operations.filter(({ id, command }) => {
      const at = tree.commands.filter((candidate) => candidate.command === command);
      return at.length !== 1 || !at[0]?.operations.some((operation) => operation.id === id);
    });
    expect(astray.map(({ id }) => id)).toEqual([]);
  });

  it('has every home that is promised', () => {
    expect(homes.filter((home) => !names.has(home))).toEqual([]);
  });

  it('has each command once, and none that takes arguments is the beginning of another', () => {
    expect(names.size).toBe(tree.commands.length);
    const longer = (command: string) => [...names].filter((other) => other.startsWith(`${command} `));
    expect(wrong(({ command, arguments: taken }) => (taken.length === 0 ? [] : longer(command)))).toEqual([]);
  });

  it('has a group for every command, and a command for every group', () => {
    const groups = tree.groups.map(({ name }) => name);
    expect([...new Set(tree.commands.map(({ group }) => group))]).toEqual(groups);
    expect(new Set(groups).size).toBe(groups.length);
  });
});

describe('every name', () => {
  it('is in kebab-case', () => {
    expect(wrong(({ command }) => command.split(' ').filter((word) => !KEBAB.test(word)))).toEqual([]);
    const isName = (name: string) => name.split('.').every((part) => KEBAB.test(part));
    expect(wrong(({ flags }) => flags.map(({ name }) => name).filter((name) => !isName(name)))).toEqual([]);
    expect([...globals].filter((name) => !KEBAB.test(name))).toEqual([]);
  });

  it('of a secret has no flag that takes its value, for an argument is seen by every process', () => {
    const isSecret = /(^|[.-])(key|secret|token|password|credential)s?([.-]|$)/;
    const taking = ({ name, type }: { name: string; type?: string }) => isSecret.test(name) && type !== 'boolean';
    expect(wrong(({ flags }) => flags.filter(taking).map(({ name }) => name))).toEqual([]);
    expect(tree.global_flags.filter(taking)).toEqual([]);
    const named = tree.commands.flatMap(({ flags }) => flags.filter(({ name }) => isSecret.test(name)));
    expect(named.map(({ name }) => name)).toContain('api-key-stdin');
  });

  it('of a flag is its own: no other flag of the command and no global one has it', () => {
    const spellings = (flag: { name: string; short?: string; type?: string }) => [
      flag.name,
      ...(flag.short === undefined ? [] : [`-${flag.short}`]),
      ...(flag.type === 'boolean' ? [`no-${flag.name}`] : []),
    ];
    const taken = new Set(tree.global_flags.flatMap(spellings));
    expect(
      wrong(({ flags }) => {
        const all = flags.flatMap(spellings);
        return all.filter((name, index) => taken.has(name) || all.indexOf(name) < index);
      }),
    ).toEqual([]);
  });
});

describe('every description', () => {
  it('is there: of each flag, argument and global flag', () => {
    const blank = ({ description }: { description: string }) => description.trim() === '';
    expect(wrong(({ flags }) => flags.filter(blank).map(({ name }) => `--${name}`))).toEqual([]);
    expect(wrong((command) => command.arguments.filter(blank).map(({ name }) => name))).toEqual([]);
    expect(tree.global_flags.filter(blank)).toEqual([]);
  });

  it('of a number tells the unit that the contract gives it', () => {
    const unitless = wrong(({ operations: called, flags }) =>
      called.length === 0
        ? []
        : flags
            .filter(({ type, field, description }) => {
              return (
                type === 'integer' && field !== undefined && !field.startsWith('paging') && !/\(.+\)$/.test(description)
              );
            })
            .map(({ name }) => `--${name}`),
    );
    expect(unitless).toEqual([]);
  });

  it('in short is one imperative line without a full stop', () => {
    const isGood = (summary: string) => /^[A-Z][^\n]*[^.\s]$/.test(summary);
    expect(wrong(({ summary }) => (isGood(summary) ? [] : [summary]))).toEqual([]);
    expect(tree.groups.filter(({ summary }) => !isGood(summary))).toEqual([]);
  });
});

describe('every argument', () => {
  it('that repeats comes last, and a required one before those that are not', () => {
    expect(
      wrong((command) => {
        const list = command.arguments;
        const repeats = list.slice(0, -1).filter(({ variadic }) => variadic === true);
        const late = list.filter(({ required }, index) => required && list[index - 1]?.required === false);
        return [...repeats, ...late].map(({ name }) => name);
      }),
    ).toEqual([]);
  });
});

/** The words behind `shopctl` in an example. */
function wordsOf(example: string): string[] {
  const words = shellWords(example.replace(/^.*?<\((.*)\)$/, '$1'));
  return words.slice(words.indexOf('shopctl') + 1);
}

function unknownFlags(command: CommandData, words: readonly string[]): string[] {
  const takesValue = new Map<string, boolean>();
  for (const { name, short, type } of command.flags) {
    for (const spelling of [`--${name}`, `-${short}`]) takesValue.set(spelling, type !== 'boolean');
    if (type === 'boolean') takesValue.set(`--no-${name}`, false);
  }
  for (const { name, short, value } of tree.global_flags) {
    for (const spelling of [`--${name}`, `-${short}`]) takesValue.set(spelling, value !== undefined);
  }
  const unknown: string[] = [];
  for (let index = 0; index < words.length && words[index] !== '--'; index += 1) {
    const [spelling = '', attached] = (words[index] ?? '').split('=');
    if (!/^--?[a-z]/.test(spelling)) continue;
    if (!takesValue.has(spelling)) unknown.push(spelling);
    if (takesValue.get(spelling) === true && attached === undefined) index += 1;
  }
  return unknown;
}

describe('every example', () => {
  it('is there: each command has at least one', () => {
    expect(wrong(({ examples }) => (examples.length === 0 ? ['has none'] : []))).toEqual([]);
  });

  it('is of its own command', () => {
    expect(
      wrong(({ command, examples }) =>
        examples.filter((example) => {
          const words = wordsOf(example).filter((word) => !word.startsWith('-'));
          return !` ${words.join(' ')} `.includes(` ${command} `);
        }),
      ),
    ).toEqual([]);
  });

  it('has flags that there are', () => {
    expect(wrong((command) => command.examples.flatMap((example) => unknownFlags(command, wordsOf(example))))).toEqual(
      [],
    );
  });

  const profile = { base_url: 'https://shop.example.com', api_key: 'key-of-an-example' } as const;
  const settings = {
    version: 1,
    current_profile: 'shop',
    profiles: { shop: { ...profile, kind: 'shop' }, 'sandbox-shop': { ...profile, kind: 'shop' } },
  } as const;
  const own = new Set(operations.map(({ command }) => command));
  const dry = tree.commands.filter(({ command }) => own.has(command) && !command.startsWith('auth '));
  it.each(dry.flatMap(({ examples }) => examples))('makes a request that the contract accepts: %s', async (example) => {
    // What is to be cancelled is read in a dry run.
    const isRead = / (?:orders|shipping) cancel /.test(example);
    const context = offlineContext([...wordsOf(example), isRead ? '--curl' : '--dry-run'], { settings });
    const exit = await run(context);
    const said = isRead ? 'first export ' : 'nothing was sent';
    expect({ exit, stderr: context.stderr.text }).toEqual({
      exit: 0,
      stderr: example.includes('--skeleton') ? '' : expect.stringContaining(said),
    });
  });
});

describe('a command of three words', () => {
  it('sends what its flags say', async () => {
    const words = [
      'groups',
      'members',
      'add',
      '--group-id',
      '1',
      '--customer-id',
      '2',
      '--curl',
      '--base-url',
      'https://a.example',
    ];
    const context = offlineContext(words);
    expect(await run(context)).toBe(0);
    expect(context.stdout.text).toContain('/v1/shop.CustomerGroupRelationship/CreateRelationship');
    expect(context.stdout.text).toContain('{"customer_id":"2","group_id":"1"}');
  });

  it('has help, and a group of two words tells what goes on from it', async () => {
    const help = offlineContext(['groups', 'members', 'add', '--help']);
    expect(await run(help)).toBe(0);
    expect(help.stdout.text).toContain('Usage: shopctl groups members add');
    const short = offlineContext(['groups', 'members']);
    expect(await run(short)).toBe(2);
    expect(short.stderr.text).toContain('add');
  });
});

describe('shopctl commands', () => {
  it('lists the tree as data', async () => {
    const context = offlineContext(['commands', '--json']);
    expect(await run(context)).toBe(0);
    expect(JSON.parse(context.stdout.text)).toEqual(JSON.parse(JSON.stringify(tree.commands)));
  });

  it('prints names for scripts, and with --tree the global flags and exit codes too', async () => {
    const list = offlineContext(['commands', '-o', 'name']);
    await run(list);
    expect(list.stdout.text.split('\n')).toContain('groups members add');
    const whole = offlineContext(['commands', '--tree']);
    await run(whole);
    expect(JSON.parse(whole.stdout.text).exit_codes).toContainEqual({ code: 0, meaning: 'success' });
  });
});

describe('shopctl schema', () => {
  const schemaOf = async (...words: string[]) => {
    const context = offlineContext(['schema', ...words]);
    return { exit: await run(context), value: context.stdout.text, error: context.stderr.text };
  };

  it('prints what a command sends and gets, as JSON Schema', async () => {
    const { exit, value } = await schemaOf('orders', 'create');
    expect(exit).toBe(0);
    const { operation, input, output } = JSON.parse(value);
    expect(operation).toBe('shop.Order/CreateOrder');
    expect(input.required).toEqual(['lines']);
    expect(output.properties.total_amount).toMatchObject({ type: 'integer', unit: 'currency units' });
  });

  it('lets --as choose, and takes an id', async () => {
    expect(JSON.parse((await schemaOf('webhooks', 'list', '--as', 'shop')).value).operation).toBe(
      'shop.Webhook/GetWebhooks',
    );
    expect(JSON.parse((await schemaOf('webhooks', 'list')).value).operation).toBe('partner.Webhook/GetWebhooks');
    expect(JSON.parse((await schemaOf('shop.Order/GetOrder')).value).command).toBe('orders get');
  });

  it('names what there is when there is no such command', async () => {
    const { exit, error } = await schemaOf('orders', 'creat');
    expect(exit).toBe(2);
    expect(error).toContain('shopctl schema orders create');
  });
});
