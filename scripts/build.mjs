// Bundles src and what it depends on into dist. Start-up is a feature, and what it costs is the number of files and of
// bytes that a command loads (docs/decisions/014): so there is one small entry that answers --version and --help, one
// file with the program, and a file each for what few commands need.
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that are loaded by `import()` where they are used: a file each. */
const packages = {
  conf: 'conf',
  inquirer: 'inquirer',
  'inquirer-core': '@inquirer/core',
  yaml: 'yaml',
  jmespath: '@jmespath-community/jmespath',
  undici: 'undici',
  pg: 'pg',
  'csv-parse': 'csv-parse',
};

/** Our own modules that are a file each, with what they need. */
const parts = {
  workspace: 'workspace/open-workspace.ts',
  'place-data': 'domain/place-data.ts',
  paper: 'paper/pdf.ts',
  xlsx: 'sheets/xlsx.ts',
  'xlsx-write': 'sheets/xlsx-write.ts',
  listen: 'flows/listen/index.ts',
};

/** Our own modules that are programs: like the whole one, they are loaded with the code that was compiled of them before. */
const programs = {
  sandbox: 'sandbox/index.ts',
};

/** The part that answers what the build has written down of the commands. */
const answer = 'cli/written-answer.ts';

/** What stands in the place of a part that nobody uses: which part of which package. */
const unusedByConf = [
  // It loads ajv for its `schema` option alone: a third of its start-up.
  { of: 'conf', path: /^ajv(?:-formats)?(?:\/|$)/, contents: 'export class Ajv2020 {}\nexport default () => {};' },
];
const unusedByProgram = [
  // HTTP/2 is never offered, and our bodies are text: a fifth of undici's bytes, and Node's http2. The proxies' undici is whole.
  { of: 'undici', path: /\/client-h2\.js$/, contents: 'module.exports = undefined;' },
  { of: 'undici', path: /\/web\/fetch\/body\.js$/, contents: 'module.exports = {};' },
  // It would start a program for each command.
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

/** The file of what is imported by `import()` and stands in one of its own. */
function fileOfItsOwn(path) {
  const name = Object.keys(packages).find((key) => packages[key] === path);
  if (name !== undefined) return `./packages/${name}.js`;
  const within = (files) => Object.keys(files).find((key) => path.startsWith('.') && path.endsWith(`/${files[key]}`));
  const [part, program] = [within(parts), within(programs)];
  if (part !== undefined) return `./${part}.js`;
  if (program !== undefined) return `./${program}.cjs`;
  return path.endsWith(`/${answer}`) ? './written-answer.cjs' : undefined;
}

/** What has a file of its own stays an import of that file. */
const filesOfTheirOwn = {
  name: 'files-of-their-own',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      const file = kind === 'dynamic-import' ? fileOfItsOwn(path) : undefined;
      return file === undefined ? undefined : { path: file, external: true };
    });
  },
};

/** In the program, which is not a module, such an import is a promise of what the loader of the program gives. */
const loadedApart = {
  name: 'loaded-apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = path.startsWith('node:') ? path : fileOfItsOwn(path);
      return file === undefined ? undefined : { path: file, namespace: 'apart' };
    });
    onLoad({ filter: /./, namespace: 'apart' }, ({ path }) => ({
      contents: `export const then = (resolve, reject) => load(${JSON.stringify(path)}).then(resolve, reject);`,
    }));
  },
};

/** What the entry answers from is read as it is itself: with the first `import()` Node would set up its loader of ES modules. */
const answerRequired = {
  name: 'answer-required',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /written-answer\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'required' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'required' }, () => ({
      contents: "module.exports = __require('./written-answer.cjs');",
    }));
  },
};

/** The parser without SIMD is for the few processors that have none: it is read where the other one cannot be compiled. */
const rareParserApart = {
  name: 'rare-parser-apart',
  setup({ onResolve }) {
    onResolve({ filter: /llhttp\/llhttp-wasm\.js$/ }, () => ({ path: './packages/llhttp.cjs', external: true }));
  },
};

/**
 * undici asserts without a message, also what a service decides, such as a status of three digits. Node then makes the
 * message of the source around it: of a bundle, which is one line, that takes half a minute.
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
 * The names that a source of ours imports of one of Node's modules, as esbuild writes its imports: in one form, types
 * left out. Undefined where it takes the module in another way than by names.
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
  // `request as requestHttp` is the module's `request`.
  return named.flatMap((names) => names.split(',').map((name) => name.replace(/ as .*$/, '')));
}

/**
 * Node's own modules are loaded by the code that uses them, not by the file that imports them: importing node:http as an
 * ES module alone makes Node 24 load its fetch. Ours are loaded by the first use of one of the names that were imported.
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
      const getters = names.map((name) => `get ${name}() { return ${load}.${name}; }`);
      return { contents: `module.exports = { ${getters.join(', ')} };` };
    });
  },
};

/** What the sources tell of the command line: evaluated while building, so that what shows it need not be able to make it. */
async function toldBySources() {
  // Inside the project, so that the packages which are not bundled are found from there.
  const place = await mkdtemp(join(root, 'node_modules', '.build-'));
  try {
    await build({
      ...options,
      entryPoints: { told: 'src/cli/written-commands.ts' },
      outdir: place,
      outExtension: { '.js': '.mjs' },
      splitting: true,
      legalComments: 'none',
      packages: 'external',
    });
    const { globalFlags, groupsToWrite, rootHelp } = await import(pathToFileURL(join(place, 'told.mjs')).href);
    return { globalFlags, groups: await groupsToWrite(), rootHelp: rootHelp() };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** In place of what makes the top-level help and the global flags stand the text and the flags themselves. */
const asTold = ({ globalFlags, rootHelp }) => ({
  name: 'as-told',
  setup({ onResolve, onLoad }) {
    const contents = {
      'root-help': `export const rootHelp = () => ${JSON.stringify(rootHelp)};`,
      globals: `export { isOn } from '../actions/settings/setting.ts';\nexport const globalFlags = ${JSON.stringify(globalFlags)};`,
    };
    onResolve({ filter: /\/(?:root-help|globals)\.ts$/ }, ({ path }) => ({
      path: /([\w-]+)\.ts$/.exec(path)[1],
      namespace: 'told',
    }));
    onLoad({ filter: /./, namespace: 'told' }, ({ path }) => ({
      contents: contents[path],
      loader: 'ts',
      resolveDir: join(root, 'src/cli'),
    }));
  },
});

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  // Names are not kept: each function that a call or a row makes would be given its own anew.
  minify: true,
  legalComments: 'linked',
  external: ['better-sqlite3'],
  logLevel: 'warning',
};

/** CommonJS packages ask for Node's own modules with `require`. */
const banner = {
  js: "const require = process.getBuiltinModule('node:module').createRequire( import.meta.url);",
};

/**
 * What every command begins with is CommonJS: Node 20 takes longer to set up its loader of ES modules than all that
 * --version and --help do.
 */
const entry = {
  format: 'cjs',
  define: { 'import.meta.dirname': '__dirname' },
  banner: { js: 'const __require = require;' },
  outExtension: { '.js': '.cjs' },
};

/** A program is one function, which `platform/kept-code.ts` loads; in ASCII, since one other letter doubles its size in memory. */
const oneFunction = {
  format: 'cjs',
  charset: 'ascii',
  banner: { js: '(function (exports, require, module, load) {' },
  footer: { js: '})' },
  outExtension: { '.js': '.cjs' },
};

/** A package with everything that Node sees of it; `export *` would give nothing of one that is CommonJS. */
async function reexported(name) {
  const module = await import(name);
  const names = Object.keys(module).filter((key) => /^(?!default$)[A-Za-z_$][\w$]*$/.test(key));
  const contents = [
    `import * as all from '${name}';`,
    `export const { ${names.join(', ')} } = all;`,
    ...('default' in module ? ['export default all.default;'] : []),
  ];
  return { contents: contents.join('\n'), resolveDir: root };
}

/**
 * Writes what is left of other letters as escapes: esbuild leaves those in regular expressions and templates as they are,
 * and the program is read a byte a letter, so that `đ` would be two others there.
 */
async function inAscii(path) {
  const text = await readFile(path, 'utf8');
  const escaped = text.replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  await writeFile(path, escaped);
}

/** Builds into `outdir`, whole before it takes the place of what was there. */
export async function bundle(outdir = `${root}dist`) {
  const fresh = `${outdir}.${process.pid}.new`;
  const old = `${outdir}.${process.pid}.old`;
  const plugins = [filesOfTheirOwn, rareParserApart];
  const told = await toldBySources();
  await Promise.all([
    build({
      ...options,
      ...entry,
      entryPoints: ['src/start.ts'],
      outdir: fresh,
      plugins: [asTold(told), answerRequired, ...plugins],
    }),
    build({
      ...options,
      ...entry,
      entryPoints: { 'written-answer': `src/${answer}` },
      outdir: fresh,
      plugins: [asTold(told), without(unusedByProgram), builtInsOnDemand, ...plugins],
    }),
    build({
      ...options,
      ...oneFunction,
      entryPoints: ['src/process.ts'],
      outdir: fresh,
      plugins: [loadedApart, rareParserApart, plainAssertions, without(unusedByProgram), builtInsOnDemand],
    }),
    ...Object.entries(parts).map(([name, path]) =>
      build({
        ...options,
        banner,
        entryPoints: { [name]: `src/${path}` },
        outdir: fresh,
        plugins: [...plugins, builtInsOnDemand],
      }),
    ),
    ...Object.entries(programs).map(([name, path]) =>
      build({
        ...options,
        ...oneFunction,
        // What is no file of ours is CommonJS, and required: to import it would have Node look through it for its names.
        supported: { 'dynamic-import': false },
        entryPoints: { [name]: `src/${path}` },
        outdir: fresh,
        plugins: [loadedApart, builtInsOnDemand],
      }),
    ),
    ...Object.entries(packages).map(async ([name, path]) =>
      build({
        ...options,
        banner,
        stdin: await reexported(path),
        outfile: `${fresh}/packages/${name}.js`,
        plugins: [plainAssertions, without(unusedByConf)],
      }),
    ),
    build({
      ...options,
      format: 'cjs',
      entryPoints: { llhttp: 'undici/lib/llhttp/llhttp-wasm.js' },
      outExtension: { '.js': '.cjs' },
      outdir: `${fresh}/packages`,
    }),
  ]);
  for (const name of ['process', ...Object.keys(programs)]) await inAscii(`${fresh}/${name}.cjs`);
  await mkdir(`${fresh}/commands`);
  for (const [name, commands] of Object.entries(told.groups)) {
    await writeFile(`${fresh}/commands/${name}.json`, JSON.stringify(commands));
  }
  await cp(join(root, 'src/paper/fonts'), `${fresh}/fonts`, { recursive: true });
  await rename(outdir, old).catch(() => {});
  await rename(fresh, outdir);
  await rm(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
