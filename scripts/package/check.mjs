// Tries what `npm run package` makes, as those who install it do: `npm run package:check`. Nothing is left out: what cannot be
// tried here fails, and says why.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf } from '../script-options.mjs';
import { debianName } from './debian.mjs';
import { packagesOf, sha256 } from './documents.mjs';
import { withoutSignature } from './executable.mjs';
import { makePackages } from './package.mjs';
import { cacheOfPackages } from './targets.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { name, version } = manifest;

/** Files of tests that run the built program as a process of its own. */
const tests = [
  'test/batch/installed.test.ts',
  'test/batch/two-terminals.proof.test.ts',
  'test/cli/mirror.proof.test.ts',
  'test/cli/sandbox.proof.test.ts',
  'test/cli/scripts-page.proof.test.ts',
  'test/cli/slips.proof.test.ts',
  'test/live/killed-program.proof.test.ts',
  'test/strangers/full-disk.proof.test.ts',
  'test/strangers/hostile-sheets.proof.test.ts',
  'test/strangers/killed-exec.proof.test.ts',
  'test/strangers/tight-loops.proof.test.ts',
  'test/transcripts/readme.proof.test.ts',
  'test/transcripts/shell.proof.test.ts',
];
const KILLS = '20';

const fail = (message) => {
  throw new Error(message);
};
const check = (isFine, message) => isFine || fail(message);

/** Runs a program to its end; throws what it said if that is not the expected one. */
function ran(file, words, { exit = 0, ...options } = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, words, { encoding: 'utf8', ...options });
  if (error !== undefined) throw error;
  check(status === exit, `${[file, ...words].join(' ')} ended with ${status}: ${stderr || stdout}`);
  return stdout;
}

/** Runs tests with the executable; throws if one fails, is skipped or is not there. */
function runTests(place, executable, files, env = {}) {
  const results = join(place, 'results.json');
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
  const { status } = spawnSync(process.execPath, [...words, `--outputFile.json=${results}`, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SHOPCTL_TEST_BUILD: join(root, 'dist'), SHOPCTL_TEST_PROGRAM: executable, ...env },
  });
  const { testResults, numPassedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
  check(status === 0, 'tests of the executable failed');
  const seen = testResults.map((file) => file.name);
  for (const file of files)
    check(
      seen.some((each) => each.endsWith(file)),
      `${file} was not run`,
    );
  return `${numPassedTests} passed, ${numPendingTests} skipped`;
}

/** The quickstart with the executable, in an environment without Node. */
function quickstart(place, executable) {
  const env = { HOME: place, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', QUICKSTART_PROGRAM: executable };
  const told = ran(process.execPath, [join(root, 'scripts/quickstart.mjs')], { env, cwd: place });
  check(told.includes('everything above happened'), 'the quickstart did not come to its end');
}

/** The shared libraries of an executable, by their paths. */
const librariesOf = (executable) => [...ran('ldd', [executable]).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);

/** A root directory with what the .deb depends on, and nothing else: no Node. */
function rootFor(place, executable) {
  const chroot = join(place, 'root');
  const copy = (path) => {
    mkdirSync(join(chroot, dirname(path)), { recursive: true });
    copyFileSync(realpathSync(path), join(chroot, path));
  };
  for (const path of [...librariesOf(executable), ...librariesOf('/bin/sh'), '/bin/sh']) copy(path);
  for (const directory of ['tmp', 'dev', 'home/shop', 'var/lib/dpkg/info', 'var/lib/dpkg/updates'])
    mkdirSync(join(chroot, directory), { recursive: true });
  chmodSync(join(chroot, 'tmp'), 0o1777);
  for (const file of ['status', 'available']) writeFileSync(join(chroot, 'var/lib/dpkg', file), '');
  for (const [node, minor] of [
    ['null', 3],
    ['urandom', 9],
  ])
    ran('mknod', ['-m', '666', join(chroot, 'dev', node), 'c', '1', String(minor)]);
  ran('chown', ['10001:10001', join(chroot, 'home/shop')]);
  return chroot;
}

/** Everything below a directory but dpkg's own records. */
const filesBelow = (directory) =>
  readdirSync(directory, { recursive: true })
    .filter((path) => !path.startsWith('var/lib/dpkg') && !path.startsWith('var/log'))
    .sort();

/** Installs the .deb into a directory of its own, uses it as a user who has nothing else, and removes it again. */
function tryDebian(place, executable, file) {
  check(process.getuid() === 0, 'the .deb is installed into a chroot: run this as root');
  const chroot = rootFor(place, executable);
  const before = filesBelow(chroot);
  const dpkg = (...words) =>
    ran('dpkg', [
      `--root=${chroot}`,
      '--force-not-root',
      '--force-bad-path',
      '--ignore-depends=libc6,libgcc-s1,libstdc++6',
      ...words,
    ]);
  // Its dependencies are packages of Debian, which this root has as files alone.
  const fields = ran('dpkg-deb', ['--field', file, 'Depends']);
  for (const [, library] of fields.matchAll(/([\w+.-]+)(?: \([^)]*\))?,?/g)) ran('dpkg', ['--status', library]);
  dpkg('--install', file);
  const env = { HOME: '/home/shop', PATH: '/usr/bin:/bin' };
  const inside = (...words) => ran('/usr/sbin/chroot', ['--userspec=10001:10001', chroot, ...words], { env });
  check(inside('/usr/bin/shopctl', '--version').trim() === version, 'the .deb has another version');
  check(inside('/usr/bin/shopctl', 'orders', '--help').includes('Manage orders'), 'the installed program has no help');
  const shipped = ['/usr/bin/shopctl', 'sandbox', 'exec', '--', '/usr/bin/shopctl'];
  check(
    inside(...shipped, 'orders', 'list', '--limit', '1', '-o', 'name', '--profile', 'sandbox-shop').trim() !== '',
    'no order',
  );
  check(existsSync(join(chroot, 'usr/share/man/man1/shopctl.1.gz')), 'the manual is missing');
  check(
    ran('man', ['-P', 'cat', join(chroot, 'usr/share/man/man1/shopctl.1.gz')]).includes('shopctl'),
    'man reads nothing',
  );
  ran('bash', ['-n', join(chroot, 'usr/share/bash-completion/completions/shopctl')]);
  const script = join(chroot, 'usr/share/bash-completion/completions/shopctl');
  const complete =
    '. "$0"; COMP_WORDS=(shopctl ord); COMP_CWORD=1; COMP_LINE="shopctl ord"; COMP_POINT=11; _shopctl; echo "$COMPREPLY"';
  check(ran('bash', ['-c', complete, script]).trim() === 'orders', 'completion completes nothing');
  dpkg('--purge', name);
  rmSync(join(chroot, 'home/shop'), { recursive: true });
  mkdirSync(join(chroot, 'home/shop'));
  const left = filesBelow(chroot).filter((path) => !before.includes(path));
  check(left.length === 0, `the .deb left ${left.join(', ')}`);
}

/** What is made is what is said of it: sums, licences, list, and the bytes of a second run. */
async function tryDocuments(out, made, again) {
  const first = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
  ran('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out });
  await makePackages(again);
  check(readFileSync(join(again.out, 'SHA256SUMS'), 'utf8') === first, 'two runs on one build differ');
  const bill = JSON.parse(readFileSync(join(out, `${name}-${version}.cdx.json`), 'utf8'));
  check(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(bill.serialNumber),
    'no UUID',
  );
  const named = bill.components.map((component) => component.name);
  const bundled = packagesOf(readFileSync(join(root, 'dist/LICENSES.txt'), 'utf8')).map((each) => each.name);
  const missing = [...Object.keys(manifest.dependencies), ...bundled, 'node'].filter((each) => !named.includes(each));
  check(missing.length === 0, `the list lacks ${missing.join(', ')}`);
  for (const { name: file, hashes } of bill.metadata.component.components)
    check(hashes[0].content === sha256(readFileSync(join(out, file))), `${file} is not the one that is listed`);
  const windows = made.find((file) => file.endsWith('.exe'));
  const bytes = readFileSync(join(out, windows));
  check(withoutSignature(bytes) === bytes, `${windows} has a signature, which is not valid any more`);
  check(
    bytes.includes('NODE_SEA_BLOB\0'.slice(0, 13)) || bytes.includes(Buffer.from('NODE_SEA_BLOB', 'utf16le')),
    `${windows} has no program`,
  );
}

const usage = `Usage: npm run package:check [-- --only PART,PART] [--packages DIR]

Makes the packages of the build in dist twice, and tries them: documents, quickstart, tests, kills, deb. It needs root, for a chroot.

  --only PARTS    of documents, quickstart, tests, kills, deb
  --packages DIR  packages that are there, instead of making them
`;

async function main() {
  const values = optionsOf(usage, { only: { type: 'string' }, packages: { type: 'string' } });
  const place = mkdtempSync(join(tmpdir(), 'shopctl-package-'));
  const cache = cacheOfPackages();
  const out = resolve(values.packages ?? join(place, 'release'));
  try {
    if (values.packages === undefined) await makePackages({ out, cache });
    const made = readdirSync(out);
    const executable = join(out, 'shopctl-linux-x64');
    const parts = {
      documents: () => tryDocuments(out, made, { out: join(place, 'again'), cache }),
      quickstart: () => quickstart(place, executable),
      tests: () => runTests(place, executable, tests),
      kills: () => runTests(place, executable, ['test/batch/killed.proof.test.ts'], { SHOPCTL_TEST_KILLS: KILLS }),
      deb: () => tryDebian(place, executable, join(out, debianName(manifest, 'amd64'))),
    };
    for (const part of values.only?.split(',') ?? Object.keys(parts)) {
      const run = parts[part] ?? fail(`there is no part ${part}\n\n${usage}`);
      const told = await run();
      process.stdout.write(`package:check: ${part}: ${told ?? 'fine'}\n`);
    }
    process.stdout.write(
      'not tried here: shopctl-linux-arm64 and shopctl-win-x64.exe, which this machine cannot run\n',
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

await main();
