// Bundles src and what it depends on into dist. Start-up is a feature, and what it costs is the number of files and of
// bytes that a command loads (docs/decisions/014): so there is one small entry that answers --version and --help, one
// file with the program, and a file each for what few commands need.
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that are loaded by `import()` where they are used: a file each. */
const packages = {
  conf: 'conf',
  inquirer: 'inquirer',
  yaml: 'yaml',
  'cli-table3': 'cli-table3',
  jmespath: '@jmespath-community/jmespath',
  undici: 'undici',
};

/** Our own modules that are a file each, with what they need. */
const parts = { process: 'process.ts', sandbox: 'sandbox/index.ts', 'place-data': 'domain/place-data.ts' };

/** conf loads ajv for its `schema` option alone, which is not used here: a third of its start-up. */
const withoutAjv = {
  name: 'without-ajv',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ajv(?:-formats)?(?:\/|$)/ }, ({ importer }) =>
      /[\\/]conf[\\/]/.test(importer) ? { path: 'ajv', namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: 'export class Ajv2020 {}\nexport default () => {};',
    }));
  },
};

/** What is imported by `import()` and has a file of its own stays an import of that file. */
const filesOfTheirOwn = {
  name: 'files-of-their-own',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = Object.keys(packages).find((key) => packages[key] === path);
      if (name !== undefined) return { path: `./packages/${name}.js`, external: true };
      const part = Object.keys(parts).find((key) => path.startsWith('.') && path.endsWith(`/${parts[key]}`));
      return part === undefined ? undefined : { path: `./${part}.js`, external: true };
    });
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
 * Node's own modules are loaded by the code that uses them, not by the whole file that it stands in: importing node:http
 * as an ES module alone makes Node 24 load its fetch.
 */
const builtInsOnDemand = {
  name: 'built-ins-on-demand',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'built-in' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  external: ['better-sqlite3'],
  logLevel: 'warning',
};

/** CommonJS packages ask for Node's own modules with `require`. */
const banner = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

/** A package with everything that Node sees of it; `export *` would give nothing of one that is CommonJS. */
async function reexported(name) {
  const names = Object.keys(await import(name)).filter((key) => /^(?!default$)[A-Za-z_$][\w$]*$/.test(key));
  const contents = [
    `import * as all from '${name}';`,
    `export const { ${names.join(', ')} } = all;`,
    'export default all.default;',
  ];
  return { contents: contents.join('\n'), resolveDir: root };
}

/** Builds into `outdir`, whole before it takes the place of what was there. */
export async function bundle(outdir = `${root}dist`) {
  const fresh = `${outdir}.${process.pid}.new`;
  const old = `${outdir}.${process.pid}.old`;
  const plugins = [filesOfTheirOwn, rareParserApart, withoutAjv];
  await Promise.all([
    build({ ...options, entryPoints: ['src/start.ts'], outdir: fresh, plugins }),
    ...Object.entries(parts).map(([name, path]) =>
      build({
        ...options,
        banner,
        entryPoints: { [name]: `src/${path}` },
        outdir: fresh,
        plugins: [...plugins, builtInsOnDemand],
      }),
    ),
    ...Object.entries(packages).map(async ([name, path]) =>
      build({
        ...options,
        banner,
        stdin: await reexported(path),
        outfile: `${fresh}/packages/${name}.js`,
        plugins: [withoutAjv],
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
  await rename(outdir, old).catch(() => {});
  await rename(fresh, outdir);
  await rm(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
