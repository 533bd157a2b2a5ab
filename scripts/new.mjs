// Writes the stubs of something new where they belong, and says what is left to do:
//   npm run new -- operation shop.Order/TagOrder
//   npm run new -- command totals weigh
//   npm run new -- setting work_directory
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

class Unusable extends Error {}

const kebab = (name) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
const camel = (name) => name.replaceAll(/[_-](\w)/g, (_, letter) => letter.toUpperCase());

function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Puts a text before the last occurrence of a mark in a file. */
function insert(path, mark, text) {
  const content = readFileSync(path, 'utf8');
  const at = content.lastIndexOf(mark);
  if (at < 0) throw new Unusable(`${path} has no \`${mark.trim()}\` to write before`);
  writeFileSync(path, `${content.slice(0, at)}${text}${content.slice(at)}`);
  process.stdout.write(`${path}\n`);
}

function operation(id = '') {
  const [, family, area, name] = /^(shop|partner)\.([A-Z]\w*)\/([A-Z]\w*)$/.exec(id) ?? [];
  if (name === undefined) throw new Unusable('an operation is named like shop.Order/TagOrder');
  const ends = `/${kebab(area)}.ts`;
  const find = (directory) => filesBelow(directory).find((path) => path.endsWith(ends));
  const [declared, handled] = [find(`src/contract/${family}`), find(`src/sandbox/service/handlers/${family}`)];
  if (declared === undefined || handled === undefined) {
    throw new Unusable(
      `${family}.${area} is a new area: first write its entries in src/contract/areas.ts and the sandbox's`,
    );
  }
  const tested = filesBelow('test/sandbox/every-operation').find((path) =>
    readFileSync(path, 'utf8').includes(`'${family}.${area}/`),
  );
  if (tested === undefined)
    throw new Unusable(`no test below test/sandbox/every-operation has an operation of ${area}`);
  const [verb = ''] = kebab(name).split('-');
  const declaration = `
export const ${name} = operation({
  id: '${id}',
  command: '${kebab(area)}s ${verb}',
  summary: '${verb.charAt(0).toUpperCase()}${verb.slice(1)} what this does',
  examples: ['shopctl ${kebab(area)}s ${verb} 1234567890123456789'],
  effect: 'update',
  credential: '${family === 'shop' ? 'shop-api-key' : 'shop-key'}',
  request: requiring({ id: id('Id of the record') }, {}),
  response: empty,
  positional: 'id',
});
`;
  writeFileSync(declared, `${readFileSync(declared, 'utf8')}${declaration}`);
  process.stdout.write(`${declared}\n`);
  insert(handled, '} satisfies Handlers', `  ${name}(_input, _call) {\n    return {};\n  },\n`);
  const row = `  '${id}': {
    request: async () => ({ id: '1234567890123456789' }),
    answers: {},
    changes: [],
    needs: ['id'],
    namesRecord: true,
    refuses: [],
  },
`;
  insert(tested, '} satisfies Record<string, Row>', row);
  return 'Write what they do (imports too), note in docs/contract-decisions.md what the contract leaves open, then: npm run generate && npm run check';
}

function command(group = '', ...names) {
  const words = [group, ...names];
  if (names.length === 0 || words.some((word) => !/^[a-z][a-z-]*$/.test(word))) {
    throw new Unusable('a command is named by its group and its own words, like totals weigh');
  }
  const groups = readFileSync('src/cli/tree/groups.ts', 'utf8');
  const [, place] = new RegExp(`^  '?${group}'?: .*import\\('\\.\\./\\.\\./([^']+)'`, 'm').exec(groups) ?? [];
  if (place === undefined)
    throw new Unusable(`${group} is a new group: it needs entries in src/cli/tree (CONTRIBUTING.md)`);
  const path = `src/${place}`;
  const name = camel(names.join('-'));
  const stub = `const ${name} = action({
  id: '${[group, name].join('.')}',
  words: [${words.map((word) => `'${word}'`).join(', ')}],
  summary: 'Show what this shows',
  examples: ['shopctl ${words.join(' ')}'],
  effect: 'read',
  needs: [],
  input: z.object({}),
  output: z.object({ done: z.boolean().meta({ description: 'Whether it was done' }) }),
  run: () => ({ done: true }),
});

`;
  const content = readFileSync(path, 'utf8');
  const at = content.search(/(?:\/\*\*[^\n]*\*\/\n)?export const actions = \[/);
  if (at < 0) throw new Unusable(`${path} has no list of actions`);
  const withStub = `${content.slice(0, at)}${stub}${content.slice(at)}`;
  writeFileSync(path, withStub.replace(/(export const actions = \[[^\]]*?),?\s*\]/, `$1, ${name}]`));
  process.stdout.write(`${path}\n`);
  return 'Write what it does, and its line in test/cli/every-result/stories.ts, then: npm run generate && npm run check';
}

function setting(name = '') {
  if (!/^[a-z][a-z_]*$/.test(name)) throw new Unusable('a setting is named like work_directory');
  const flag = name.replaceAll('_', '-');
  const entry = `  ${camel(name)}: {
    name: '${name}',
    description: 'what it decides',
    type: anyText('a text'),
    flag: { name: '${flag}', placeholder: 'TEXT' },
    variable: 'SHOPCTL_${name.toUpperCase()}',
    kept: 'settings',
  },
`;
  insert('src/settings/table.ts', '} as const satisfies', entry);
  return 'Choose its type and description, then: npm run generate && npm run check';
}

const kinds = { operation, command, setting };
const [kind = '', ...words] = process.argv.slice(2);
try {
  const make = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (make === undefined) throw new Unusable(`say what is new: ${Object.keys(kinds).join(', ')}`);
  process.stdout.write(`${make(...words)}\n`);
} catch (error) {
  if (!(error instanceof Unusable)) throw error;
  process.stderr.write(`new: ${error.message}\n`);
  process.exitCode = 2;
}
