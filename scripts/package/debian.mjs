// Makes the .deb: the executable, its manual, and completion for the shells that Debian has.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The time of every file, as npm has it, unless the environment names another. */
export const epoch = () => process.env.SOURCE_DATE_EPOCH ?? '499162500';

/** What Node's executable for Linux is linked with. */
const DEPENDS = 'libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 5.2)';

export const debianName = ({ name, version }, architecture) => `${name}_${version}_${architecture}.deb`;

const control = ({ name, version, description }, architecture, kibibytes) =>
  [
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: the shopctl project <shopctl@localhost>',
    `Installed-Size: ${kibibytes}`,
    `Depends: ${DEPENDS}`,
    'Section: utils',
    'Priority: optional',
    'Description: command line of a commerce and shipping service',
    ` ${description}`,
    ' .',
    ' Node.js is part of the executable.',
    '',
  ].join('\n');

/** Where each file goes, and its content. */
function filesOf(root, { executable, licences }) {
  const packedText = (path) => gzipSync(readFileSync(join(root, path)), { level: 9 });
  const manual = readdirSync(join(root, 'man')).sort();
  return [
    ['usr/bin/shopctl', executable],
    ...manual.map((page) => [`usr/share/man/man1/${page}.gz`, packedText(join('man', page))]),
    ['usr/share/bash-completion/completions/shopctl', readFileSync(join(root, 'completions/shopctl.bash'))],
    ['usr/share/zsh/vendor-completions/_shopctl', readFileSync(join(root, 'completions/_shopctl'))],
    ['usr/share/fish/vendor_completions.d/shopctl.fish', readFileSync(join(root, 'completions/shopctl.fish'))],
    ['usr/share/doc/shopctl/copyright', licences],
    ['usr/share/doc/shopctl/changelog.gz', packedText('CHANGELOG.md')],
  ];
}

/** Every directory gets the mode that packages have, whatever the umask is. */
function openDirectories(place) {
  chmodSync(place, 0o755);
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    if (entry.isDirectory()) openDirectories(join(place, entry.name));
  }
}

/** Writes the .deb of an executable for that architecture of Debian. */
export function makeDebian({ root, manifest, architecture, executable, licences, output }) {
  const place = mkdtempSync(join(tmpdir(), 'shopctl-deb-'));
  try {
    let bytes = 0;
    for (const [path, content] of filesOf(root, { executable: readFileSync(executable), licences })) {
      const file = join(place, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      chmodSync(file, path.startsWith('usr/bin/') ? 0o755 : 0o644);
      bytes += Buffer.byteLength(content);
    }
    mkdirSync(join(place, 'DEBIAN'));
    writeFileSync(join(place, 'DEBIAN/control'), control(manifest, architecture, Math.ceil(bytes / 1024)));
    chmodSync(join(place, 'DEBIAN/control'), 0o644);
    openDirectories(place);
    const made = `${output}.new`;
    // How many threads compress decides where xz begins its blocks.
    const env = { ...process.env, SOURCE_DATE_EPOCH: epoch(), DPKG_DEB_THREADS_MAX: '1' };
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', place, made], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    copyFileSync(made, output);
    rmSync(made);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
