// What npm packs: the build contains its packages, so that an installation is one package and runs no scripts.
//   node scripts/packed.mjs begin   before packing: writes the manifest of the package in place of the project's, and puts
//                                   the source maps into an archive of their own beside it
//   node scripts/packed.mjs end     afterwards: the project's manifest again
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The manifest of the package: it names nothing that is in the build, and the one package that a user may add. */
export function packedManifest({
  scripts,
  dependencies,
  devDependencies,
  allowScripts,
  optionalDependencies,
  ...manifest
}) {
  const optional = Object.keys(optionalDependencies).map((name) => [name, { optional: true }]);
  const peers = { peerDependencies: optionalDependencies, peerDependenciesMeta: Object.fromEntries(optional) };
  return { ...manifest, ...peers };
}

/** The archive of the maps of a version: `shopctl --debug` names the same. */
const mapsOf = ({ name, version }) => `${name}-${version}-maps.tgz`;

function end() {
  // Written as a whole: an end that is interrupted leaves the kept one.
  if (existsSync('package.json.kept')) renameSync('package.json.kept', 'package.json');
}

function begin() {
  end();
  if (!existsSync('dist')) throw new Error('nothing is built: run npm ci first');
  const text = readFileSync('package.json', 'utf8');
  const manifest = JSON.parse(text);
  const maps = readdirSync('dist', { recursive: true }).filter((path) => path.endsWith('.map'));
  const destination = process.env.npm_config_pack_destination || '.';
  execFileSync('tar', ['-czf', join(destination, mapsOf(manifest)), '-C', 'dist', ...maps.sort()]);
  writeFileSync('package.json.kept', text);
  // npm links the pages that are named, of which a directory alone names none.
  const man = existsSync('man') ? readdirSync('man').map((page) => `./man/${page}`) : [];
  const { directories, ...packed } = packedManifest(manifest);
  writeFileSync('package.json', `${JSON.stringify({ ...packed, man }, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(root);
  const does = { begin, end }[process.argv[2]];
  if (does === undefined) throw new Error('which? begin or end');
  does();
}
