// Generates everything that is derived from the declarations: completions, the reference and the man page from the
// command tree; the contract's lists and its page of tables from the operations. `npm run generate -- pages` writes what is
// not in git alone: the man pages and docs/reference, as each installation does.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

// Inside the project, so that packages outside the bundle are resolved from there.
const place = await mkdtemp(join(root, 'node_modules', '.generate-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: { files: 'src/cli/generate/files.ts', contract: 'test/contract/generated-files.ts' },
    outdir: place,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  const load = async (name) => import(pathToFileURL(join(place, `${name}.mjs`)).href);
  const [{ generatedDirectories, ...tree }, contract] = await Promise.all([load('files'), load('contract')]);
  const files = new Map([...(await tree.generatedFiles()), ...(await contract.generatedFiles())]);
  const isPage = (path) => /^(?:man|docs\/reference)\//.test(path);
  const isAll = process.argv[2] !== 'pages';
  for (const [path, text] of files) {
    if (!isAll && !isPage(path)) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const directory of generatedDirectories) {
    for (const name of await readdir(join(root, directory))) {
      const path = `${directory}/${name}`;
      if (!files.has(path) && (isAll || isPage(path))) await rm(join(root, path));
    }
  }
} finally {
  await rm(place, { recursive: true, force: true });
}
