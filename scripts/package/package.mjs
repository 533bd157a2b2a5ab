// Makes what is installed without Node, of the build in dist: `npm run package`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf } from '../script-options.mjs';
import { debianName, makeDebian } from './debian.mjs';
import { allLicences, billOfMaterials, sha256 } from './documents.mjs';
import { makeBlob, makeExecutable } from './executable.mjs';
import { cacheOfPackages, fetched, injector, nodeOf, nodeVersion, targets } from './targets.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const usage = `Usage: npm run package -- [--out DIR] [--dist DIR] [--cache DIR] [--only NAME,NAME]

Makes executables for ${targets.map(({ name }) => name).join(', ')}, a .deb, SHA256SUMS and a list of what is in them,
from a build that is there (npm run build). npm fetches Node's own executables into a cache.

  --out DIR     where to (release)
  --dist DIR    the build (dist)
  --cache DIR   where fetched packages are stored (${cacheOfPackages()})
  --only NAMES  of the executables; deb needs linux-x64
`;

/** Makes the parts that are named into a directory; returns the names of the files, sorted. */
export async function makePackages({ out, dist = join(root, 'dist'), cache, only }) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  const wanted = (part) => only === undefined || only.includes(part);
  // A blob is made by the Node that will run it, and on this machine only one of them runs.
  const here = targets.find((target) => target.name === `${process.platform}-${process.arch}`);
  if (here === undefined) throw new Error(`packages are made on ${targets.map((target) => target.name).join(' or ')}`);
  const nodeHere = fetched(nodeOf(here), cache);
  const nodeProgram = join(nodeHere, here.node);
  const injected = fetched(injector, cache);
  const blob = await makeBlob({ dist, version, node: nodeProgram });
  const licences = allLicences({ root, dist, node: nodeHere });
  // What is there is replaced, if it was made here.
  const licencesFile = join(out, `${name}-licenses.txt`);
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(licencesFile))
    throw new Error(`${out} has other files: name a new directory with --out`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(licencesFile, licences);
  for (const target of targets.filter((each) => wanted(each.name))) {
    const node = join(fetched(nodeOf(target), cache), target.node);
    makeExecutable({ node, injector: injected, blob, output: join(out, target.file) });
  }
  for (const { file, debian, name: system } of targets) {
    if (debian === undefined || !wanted(system) || !wanted('deb')) continue;
    const output = join(out, debianName(manifest, debian));
    makeDebian({ root, manifest, architecture: debian, executable: join(out, file), licences, output });
  }
  const made = () =>
    readdirSync(out)
      .sort()
      .map((file) => ({ file, hash: sha256(readFileSync(join(out, file))) }));
  const bill = billOfMaterials({ name, version, license, dist, nodeProgram, node: nodeVersion, files: made() });
  writeFileSync(join(out, `${name}-${version}.cdx.json`), bill);
  const sums = made().map(({ file, hash }) => `${hash}  ${file}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  return readdirSync(out).sort();
}

async function main() {
  const values = optionsOf(usage, {
    out: { type: 'string', default: join(root, 'release') },
    dist: { type: 'string', default: join(root, 'dist') },
    cache: { type: 'string', default: cacheOfPackages() },
    only: { type: 'string' },
  });
  const only = values.only?.split(',');
  const unknown = only?.filter((part) => part !== 'deb' && !targets.some(({ name }) => name === part)) ?? [];
  if (unknown.length > 0) {
    process.stderr.write(`there is no ${unknown.join(', ')}\n\n${usage}`);
    process.exit(2);
  }
  const [out, dist, cache] = [values.out, values.dist, values.cache].map((path) => resolve(path));
  for (const file of await makePackages({ out, dist, cache, only }))
    process.stdout.write(`${join(values.out, file)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
