// Bundles src and what it depends on into dist: one entry, a chunk for everything that is loaded on demand.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

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

/** Builds into `outdir`; what esbuild knows of the outputs is the answer. */
export async function bundle(outdir = `${root}dist`) {
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { process: 'src/process.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    minify: true,
    keepNames: true,
    metafile: true,
    legalComments: 'linked',
    chunkNames: 'chunks/[name]-[hash]',
    external: ['better-sqlite3'],
    plugins: [withoutAjv],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
