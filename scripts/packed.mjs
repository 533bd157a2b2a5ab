// What npm packs: the build contains its packages, so that an installation is one package and runs no scripts.
//   node scripts/packed.mjs begin   before packing: writes the manifest of the package in place of the project's, and puts
//                                   the source maps into an archive of their own beside it
//   node scripts/packed.mjs end     afterwards: the project's manifest again
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
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

/** When a file below a directory was changed last. */
const latestIn = (directory) =>
  Math.max(...readdirSync(directory, { recursive: true }).map((path) => statSync(join(directory, path)).mtimeMs));

/** What is packed is the build: one that is missing, or of other sources, is none to pack. */
function refuseOldBuild({ version }) {
  const isBuilt = existsSync('dist/start.cjs');
  const built = isBuilt && execFileSync(process.execPath, ['bin/shopctl.js', '--version'], { encoding: 'utf8' }).trim();
  const isOld = existsSync('src') && isBuilt && latestIn('src') > statSync('dist/start.cjs').mtimeMs;
  if (built !== version || isOld) throw new Error(`dist has no build of these sources as ${version}: npm run build`);
}

function begin() {
  end();
  refuseOldBuild(JSON.parse(readFileSync('package.json', 'utf8')));
  const text = readFileSync('package.json', 'utf8');
  const manifest = JSON.parse(text);
  const maps = readdirSync('dist', { recursive: true }).filter((path) => path.endsWith('.map'));
  const destination = process.env.npm_config_pack_destination || '.';
  execFileSync('tar', ['-czf', join(destination, mapsOf(manifest)), '-C', 'dist', ...maps.sort()]);
  writeFileSync('package.json.kept', text);
  // npm links the pages that are named, of which a directory alone names none.
  const man = existsSync('man') ? readdirSync('man').map((page) => `./man/${page}`) : [];
  const { directories, ...packed } = packedManifest(manifest);
  // As a whole: a full disk leaves the project's.
  writeFileSync('package.json.packed', `${JSON.stringify({ ...packed, man }, null, 2)}\n`);
  renameSync('package.json.packed', 'package.json');
  process.stderr.write(
    'package.json is that of the package until npm has packed; if it is stopped: node scripts/packed.mjs end\n',
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(root);
  const does = { begin, end }[process.argv[2]];
  if (does === undefined) throw new Error('which? begin or end');
  does();
}
