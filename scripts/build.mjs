// Bundles src and its dependencies into dist. Start-up time is a feature, and it depends on the number of files and
// bytes that a command loads (docs/decisions/014): so there is one small entry that answers --version and --help, one
// file with the program, one with what it says, and a separate file for each part that few commands need.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as buildWith, transform } from 'esbuild';
import { licencesOf, packagesIn, sourcesOfPlaces } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that are loaded on demand with `import()`: one file each, for one entry of it or several. */
const packages = {
  conf: 'conf',
  inquirer: 'inquirer',
  'inquirer-core': '@inquirer/core',
  yaml: 'yaml',
  jmespath: '@jmespath-community/jmespath',
  pg: 'pg',
  mcp: ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
  'csv-parse': 'csv-parse',
  'cli-table3': 'cli-table3',
};

/** Our own modules that become one file each, with their dependencies; like the main one, they are loaded with compiled code. */
const parts = {
  workspace: 'store/open-workspace.ts',
  batches: 'batch/open.ts',
  'workspace-move': 'workspace/store/move.ts',
  'workspace-backup': 'store/backup-file.ts',
  ledger: 'ledger/store/open-ledger.ts',
  'postgres-ledger': 'ledger/store/postgres-ledger.ts',
  'place-data': 'domain/places/place-data.ts',
  transport: 'platform/http/undici-transport.ts',
  paper: 'slips/pdf.ts',
  xlsx: 'sheets/xlsx/read-xlsx.ts',
  'xlsx-write': 'sheets/xlsx/write-xlsx.ts',
  'xlsx-edit': 'sheets/xlsx/edit-xlsx.ts',
  'parse-yaml': 'platform/files/parse-yaml.ts',
  search: 'platform/jmespath/search.ts',
  listen: 'events/listen/index.ts',
  mirror: 'mirror/index.ts',
  reports: 'reports/index.ts',
  'mirror-query': 'mirror/store/query.ts',
  console: 'console/index.ts',
  vietnamese: 'cli/vietnamese.ts',
  sandbox: 'sandbox/index.ts',
  // Answers from the command data that the build writes.
  'written-answer': 'cli/tree/written-answer.ts',
};

/** Programs of threads and of processes of their own: each is loaded by the part that starts it. */
const threads = {
  'sqlite-thread': 'platform/sqlite/sqlite-thread-program.ts',
  'yaml-thread': 'platform/files/yaml-thread-program.ts',
  'search-thread': 'platform/jmespath/search-thread-program.ts',
  'sqlite-query': 'platform/sqlite/sqlite-query-program.ts',
};

/** Replacements for parts of packages that are not used. */
const unusedByConf = [
  // conf loads ajv only for its `schema` option: a third of its start-up.
  { of: 'conf', path: /^ajv(?:-formats)?(?:\/|$)/, contents: 'export class Ajv2020 {}\nexport default () => {};' },
];
const unusedByProgram = [
  // HTTP/2 is never offered, and our bodies are text: this saves a fifth of undici's bytes, and Node's http2.
  { of: 'undici', path: /\/client-h2\.js$/, contents: 'module.exports = undefined;' },
  { of: 'undici', path: /\/web\/fetch\/body\.js$/, contents: 'module.exports = {};' },
  // commander uses it to start a program per command.
  { of: 'commander', path: /^node:child_process$/, contents: 'module.exports = {};' },
];

const without = (unused) => ({
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, importer }) => {
      const part = unused.findIndex(
        (candidate) => candidate.path.test(path) && importer.includes(`${sep}node_modules${sep}${candidate.of}${sep}`),
      );
      return part < 0 ? undefined : { path: `${part}`, namespace: 'unused' };
    });
    onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({ contents: unused[Number(path)].contents }));
  },
});

/** The separate file for an `import()` in a directory, if it has one. */
function fileOfItsOwn(path, directory) {
  const name = Object.keys(packages).find((key) => [packages[key]].flat().includes(path));
  if (name !== undefined) return `./packages/${name}.cjs`;
  if (!path.startsWith('.')) return undefined;
  const module = join(directory, path);
  const part = Object.keys(parts).find((key) => module === join(root, 'src', parts[key]));
  return part === undefined ? undefined : `./${part}.cjs`;
}

/** The classes that our sources tell apart by `instanceof`, by the files that declare them. */
async function classesToldApart() {
  const directory = join(root, 'src');
  const files = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const texts = await Promise.all(files.map(async (path) => [path, await readFile(join(directory, path), 'utf8')]));
  const checked = new Set(
    texts.flatMap(([, text]) => [...text.matchAll(/\binstanceof (\w+)/g)].map(([, name]) => name)),
  );
  const classes = texts.map(([path, text]) => [
    path,
    [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)]
      .map(([, name]) => name)
      .filter((name) => checked.has(name)),
  ]);
  return new Map(classes.filter(([, names]) => names.length > 0));
}

let toldApart;

/**
 * Each file of the build would have a class of its own, and would not know the errors of another: the class of the file
 * that is loaded first is everybody's. It is replaced behind its declaration, on the same line, for the source map.
 */
const classesOnce = {
  name: 'classes-once',
  async setup({ onLoad }) {
    toldApart ??= classesToldApart();
    const classes = await toldApart;
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const file = relative(join(root, 'src'), path).replaceAll(sep, '/');
      const names = classes.get(file);
      if (names === undefined) return undefined;
      const declared = new RegExp(
        `^(?:export )?(?:abstract )?class (${names.join('|')})\\b(?:.*\\{\\}|[^]*?\\n\\})$`,
        'gm',
      );
      const contents = (await readFile(path, 'utf8')).replaceAll(
        declared,
        (text, name) => `${text} ${name} = globalThis[Symbol.for('shopctl ${file}#${name}')] ??= ${name};`,
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** A module whose exports are read where they are used, and not before. */
const readWhenUsed = (names, from) =>
  `module.exports = { ${names.map((name) => `get ${name}() { return ${from}.${name}; }`).join(', ')} };`;

/**
 * The texts in English have one file, `texts.cjs`: whatever says the first of a run loads it, and of it the catalogue of one
 * subject.
 */
const textsApart = {
  name: 'texts-apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/texts\.ts$/ }, ({ path, resolveDir }) => ({
      path: relative(join(root, 'src'), join(resolveDir, path)),
      namespace: 'texts',
    }));
    onResolve({ filter: /./, namespace: 'texts' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace: 'texts' }, async ({ path }) => {
      const source = await readFile(join(root, 'src', path), 'utf8');
      const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      return { contents: readWhenUsed(names, `require('./texts.cjs')[${JSON.stringify(path)}]`) };
    });
  },
};

/** Every catalogue that the program has, each made when the first of its texts is said; the console's page has its own. */
async function allTexts() {
  const paths = (await readdir(join(root, 'src'), { recursive: true })).filter((path) =>
    /(?:^|(?<![\\/]page)[\\/])texts\.ts$/.test(path),
  );
  const getters = paths.sort().map((path) => `get ${JSON.stringify(path)}() { return require('./src/${path}'); }`);
  return { contents: `module.exports = { ${getters.join(', ')} };`, resolveDir: root };
}

/** In a program, which is not a module, an import of what has its own file calls the program's loader, which returns a promise. */
const loadedApart = {
  name: 'loaded-apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = path.startsWith('node:') ? path : fileOfItsOwn(path, resolveDir);
      return file === undefined ? undefined : { path: file, namespace: 'apart' };
    });
    onLoad({ filter: /./, namespace: 'apart' }, ({ path }) => ({
      contents: `export const then = (resolve, reject) => load(${JSON.stringify(path)}).then(resolve, reject);`,
    }));
  },
};

/**
 * The parser without SIMD is for the few processors that lack it: it is loaded only if the other one fails to compile.
 */
const rareParserApart = {
  name: 'rare-parser-apart',
  setup({ onResolve }) {
    onResolve({ filter: /llhttp\/llhttp-wasm\.js$/ }, () => ({ path: './packages/llhttp.cjs', external: true }));
  },
};

/**
 * undici asserts without a message, even on input from a service, such as a status of three digits. Node then builds
 * the message from the source around it: for a bundle, which is one line, that takes half a minute.
 */
const plainAssertions = {
  name: 'plain-assertions',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?assert$/ }, ({ importer }) =>
      importer.includes(`${sep}node_modules${sep}undici${sep}`) ? { path: 'assert', namespace: 'plain' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'plain' }, () => ({
      contents: `module.exports = (value, message) => {
        if (value) return;
        if (message instanceof Error) throw message;
        throw Object.assign(new Error(message ?? 'an assertion of undici failed'), { code: 'ERR_ASSERTION' });
      };`,
    }));
  },
};

/**
 * The names that one of our sources imports from a Node module, parsed from esbuild's output: in one form, without
 * types. Undefined if it imports the module in another way than by names.
 */
export async function namesImported(source, path) {
  const { code } = await transform(await readFile(source, 'utf8'), {
    loader: 'ts',
    target: 'esnext',
    minifyWhitespace: true,
  });
  const statements = [...code.matchAll(new RegExp(`\\b(?:import|export)\\b([^;"'\`(]*)"${path}"`, 'g'))];
  const named = statements.map(([, clause]) => /^\{([^}]*)\}from$/.exec(clause)?.[1]);
  if (named.length === 0 || named.includes(undefined)) return undefined;
  // `request as requestHttp` imports the module's `request`.
  return named.flatMap((names) => names.split(',').map((name) => name.replace(/ as .*$/, '')));
}

/**
 * Node's own modules are loaded by the code that uses them, not by the file that imports them: importing node:http as
 * an ES module alone makes Node 24 load its fetch. Each is loaded on first use of one of the imported names.
 */
const builtInsOnDemand = {
  name: 'built-ins-on-demand',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
      kind === 'import-statement' ? { path, namespace: 'built-in', suffix: `?${importer}` } : undefined,
    );
    onLoad({ filter: /./, namespace: 'built-in' }, async ({ path, suffix }) => {
      const load = `process.getBuiltinModule(${JSON.stringify(path)})`;
      const importer = suffix.slice(1);
      const isOurs = importer.startsWith(join(root, 'src'));
      const names = isOurs ? await namesImported(importer, path) : undefined;
      if (names === undefined) return { contents: `module.exports = ${load};` };
      return { contents: readWhenUsed(names, load) };
    });
  },
};

/**
 * The sources' description of the command line, evaluated during the build, so that displaying it needs no code to
 * compute it.
 */
async function toldBySources() {
  // Inside the project, so that packages outside the bundle are resolved from there.
  const place = await mkdtemp(join(root, 'node_modules', '.build-'));
  try {
    await build({
      ...options,
      entryPoints: { told: 'src/cli/tree/written-commands.ts' },
      outdir: place,
      outExtension: { '.js': '.mjs' },
      splitting: true,
      packages: 'external',
    });
    const { globalFlags, groupsToWrite, rootHelp } = await import(pathToFileURL(join(place, 'told.mjs')).href);
    return { globalFlags, groups: await groupsToWrite(), rootHelp: rootHelp() };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Replaces the code that builds the top-level help and the global flags by the text and the flags themselves. */
const asTold = ({ globalFlags, rootHelp }) => ({
  name: 'as-told',
  setup({ onResolve, onLoad }) {
    const contents = {
      'root-help': `export const rootHelp = () => ${JSON.stringify(rootHelp)};`,
      globals: `export { isOn } from '../../settings/setting.ts';\nexport const globalFlags = ${JSON.stringify(globalFlags)};`,
      // What answers for the program names the formats, and prints none of them.
      printer: 'export {};',
    };
    onResolve({ filter: /^\.\// }, ({ importer, kind }) =>
      kind === 'dynamic-import' && /[\\/]print[\\/]formats\.ts$/.test(importer)
        ? { path: 'printer', namespace: 'told' }
        : undefined,
    );
    onResolve({ filter: /\/(?:root-help|globals)\.ts$/ }, ({ path }) => ({
      path: /([\w-]+)\.ts$/.exec(path)[1],
      namespace: 'told',
    }));
    onLoad({ filter: /./, namespace: 'told' }, ({ path }) => ({
      contents: contents[path],
      loader: 'ts',
      resolveDir: join(root, 'src/cli/line'),
    }));
  },
});

/** What every part of the program is built with. */
const ofProgram = [
  textsApart,
  loadedApart,
  rareParserApart,
  plainAssertions,
  without(unusedByProgram),
  builtInsOnDemand,
  classesOnce,
];

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  // Names are not kept: otherwise esbuild would set the name of every function at run time, for each call or row.
  minify: true,
  // The licences are whole in a file of their own.
  legalComments: 'none',
  metafile: true,
  // For the stacks of --debug, which reads them itself: Node would load them at each start.
  sourcemap: 'external',
  sourcesContent: false,
  external: ['better-sqlite3'],
  logLevel: 'warning',
};

/**
 * The entry of every command is CommonJS: Node 20 takes longer to initialise its ES module loader than --version and
 * --help take in total.
 */
const entry = {
  format: 'cjs',
  define: { 'import.meta.dirname': '__dirname' },
  outExtension: { '.js': '.cjs' },
};

/**
 * A program is one function, which `platform/process/code-cache.ts` loads; in ASCII, since a single other character doubles its
 * size in memory.
 */
const oneFunction = {
  format: 'cjs',
  charset: 'ascii',
  banner: { js: '(function (exports, require, module, load) {' },
  footer: { js: '})' },
  define: { 'import.meta.url': 'module.url' },
  outExtension: { '.js': '.cjs' },
};

/** Re-exports everything that Node sees of a package, or of several entries of one; `export *` would export nothing from a CommonJS one. */
async function reexported(entries) {
  const contents = await Promise.all(
    [entries].flat().map(async (name, index) => {
      const module = await import(name);
      const names = Object.keys(module).filter((key) => /^(?!default$)[A-Za-z_$][\w$]*$/.test(key));
      return [
        `import * as all${index} from '${name}';`,
        `export const { ${names.join(', ')} } = all${index};`,
        ...('default' in module ? [`export default all${index}.default;`] : []),
      ];
    }),
  );
  return { contents: contents.flat().join('\n'), resolveDir: root };
}

/**
 * What an escape in place of a letter would change: behind a backslash `đ` is the letter, but `\\u0111` a backslash and
 * five others; and String.raw gives back what stands there.
 */
export function changedByEscapes(text) {
  const behindBackslash = [...text.matchAll(/(?<!\\)(?:\\\\)*\\[^\x00-\x7f]/g)];
  const raw = [...text.matchAll(/\.raw\s*`[^`]*[^\x00-\x7f][^`]*`/g)];
  return [...behindBackslash, ...raw].map(({ 0: found, index }) => text.slice(Math.max(0, index - 40), index) + found);
}

/**
 * Escapes the remaining non-ASCII characters: esbuild leaves those in regular expressions and templates, and the
 * program is read as Latin-1, where `đ` would become two other characters. Throws where that would change their meaning.
 * The source map learns where, since each escape moves what follows it. The words "cod import", or SQL with
 * "imported_at … from", would be taken for an import by whoever looks whether a file is a module: the blank before them
 * is an escape, too.
 */
async function inAscii(path) {
  const text = await readFile(path, 'utf8');
  const changed = changedByEscapes(text);
  if (changed.length > 0) throw new Error(`letters that an escape would change, in ${path}: ${changed.join('; ')}`);
  const escapes = [];
  const lines = text.split('\n').map((line, row) => {
    let longer = 0;
    return line.replaceAll(/[^\x00-\x7f]| (?=import(?:["']| \*|ed_))/g, (unit, column) => {
      const escaped = unit === ' ' ? '\\x20' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      escapes.push([row + 1, column + 1 + longer, escaped.length - 1]);
      longer += escaped.length - 1;
      return escaped;
    });
  });
  await writeFile(path, lines.join('\n'));
  if (!existsSync(`${path}.map`)) return;
  const map = JSON.parse(await readFile(`${path}.map`, 'utf8'));
  await writeFile(`${path}.map`, JSON.stringify({ ...map, x_escapes: escapes }));
}

/** Compiles a built program for this Node; without it, it starts more slowly. */
async function compileAhead(dist, place = dist) {
  const script = join(root, 'scripts/compile-ahead.mjs');
  const child = spawn(process.execPath, [script, dist, place], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  });
  const told = [];
  child.stderr.on('data', (chunk) => told.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) process.stderr.write(`build: not compiled ahead: ${Buffer.concat(told).toString().slice(-500)}\n`);
}

/** What esbuild read and wrote for each file of the build. */
const build = async (settings) => (await buildWith(settings)).metafile;

/** Builds the main file of a program into `outdir`: ours, or a test's. */
async function buildProcess(outdir, source) {
  const metafile = await build({
    ...options,
    ...oneFunction,
    entryPoints: { process: source },
    outdir,
    plugins: ofProgram,
  });
  await inAscii(`${outdir}/process.cjs`);
  return metafile;
}

/** Gives a built program the main file of a test, which exports `runProcess` as ours does. */
export async function replaceProcess(dist, source) {
  await buildProcess(dist, source);
  await compileAhead(dist);
}

/** Builds into `outdir`, replacing the previous build only when complete. */
export async function bundle(outdir = `${root}dist`, { ahead = true } = {}) {
  const fresh = `${outdir}.${process.pid}.new`;
  const old = `${outdir}.${process.pid}.old`;
  const told = await toldBySources();
  const metafiles = await Promise.all([
    build({
      ...options,
      ...entry,
      entryPoints: ['src/start.ts'],
      outdir: fresh,
      plugins: [asTold(told), classesOnce],
    }),
    buildProcess(fresh, 'src/process.ts'),
    ...Object.entries(parts).map(([name, path]) =>
      build({
        ...options,
        ...oneFunction,
        // Modules without their own file are CommonJS, and required: an import would make Node scan them for their
        // exports.
        supported: { 'dynamic-import': false },
        entryPoints: { [name]: `src/${path}` },
        outdir: fresh,
        plugins: name === 'written-answer' ? [asTold(told), ...ofProgram] : ofProgram,
      }),
    ),
    ...Object.entries(threads).map(([name, path]) =>
      build({
        ...options,
        format: 'cjs',
        supported: { 'dynamic-import': false },
        entryPoints: { [name]: `src/${path}` },
        outExtension: { '.js': '.cjs' },
        outdir: fresh,
      }),
    ),
    ...Object.entries(packages).map(async ([name, path]) =>
      build({
        ...options,
        ...oneFunction,
        sourcemap: false,
        stdin: await reexported(path),
        outfile: `${fresh}/packages/${name}.cjs`,
        plugins: [plainAssertions, without(unusedByConf)],
      }),
    ),
    build({
      ...options,
      ...oneFunction,
      stdin: await allTexts(),
      outfile: `${fresh}/texts.cjs`,
      plugins: [builtInsOnDemand, classesOnce],
    }),
    build({
      ...options,
      platform: 'browser',
      target: 'es2023',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      entryPoints: { page: 'src/console/page/main.tsx', style: 'src/console/page/page.css' },
      entryNames: 'page',
      outdir: `${fresh}/console`,
    }),
    build({
      ...options,
      ...oneFunction,
      sourcemap: false,
      entryPoints: { llhttp: 'undici/lib/llhttp/llhttp-wasm.js' },
      outdir: `${fresh}/packages`,
    }),
  ]);
  const functions = ['texts', ...Object.keys(parts), ...Object.keys(packages).map((name) => `packages/${name}`)];
  for (const name of functions) await inAscii(`${fresh}/${name}.cjs`);
  await mkdir(`${fresh}/commands`);
  for (const [name, commands] of Object.entries(told.groups)) {
    await writeFile(`${fresh}/commands/${name}.json`, JSON.stringify(commands));
  }
  await writeFile(`${fresh}/LICENSES.txt`, await licencesOf(root, [...packagesIn(metafiles), ...sourcesOfPlaces]));
  await cp(join(root, 'src/slips/fonts'), `${fresh}/fonts`, { recursive: true });
  await cp(join(root, 'src/console/page/icon.svg'), `${fresh}/console/icon.svg`);
  if (ahead) await compileAhead(fresh, outdir);
  await rename(outdir, old).catch(() => {});
  await rename(fresh, outdir);
  await rm(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
