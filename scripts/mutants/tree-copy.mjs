// A copy of the working tree in which single places can be changed: for planted faults, and for measuring without a part.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is made from the sources and not in git, and what tests compare with them. */
const GENERATED = ['man', 'docs/reference'];

/** A copy of every file that git knows or would take, with this tree's packages; whoever makes it removes it. */
export function copyTree() {
  const path = mkdtempSync(join(tmpdir(), 'shopctl-tree-'));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const name of listed.split('\0')) {
    if (name === '' || name === 'node_modules' || !existsSync(join(root, name))) continue;
    mkdirSync(dirname(join(path, name)), { recursive: true });
    cpSync(join(root, name), join(path, name), { verbatimSymlinks: true });
  }
  for (const name of GENERATED)
    if (existsSync(join(root, name))) cpSync(join(root, name), join(path, name), { recursive: true });
  // A folder of its own, in which vitest keeps what it has compiled.
  mkdirSync(join(path, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '.bin' || !name.startsWith('.'))
      symlinkSync(join(root, 'node_modules', name), join(path, 'node_modules', name));
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Changes one place of a text, that begins at `start` if that is given; otherwise throws if the place is not there exactly
 * once, which is how a stale entry shows.
 */
export function changed(text, { file, start, from, to }) {
  if (start !== undefined) return `${text.slice(0, start)}${to}${text.slice(start + from.length)}`;
  const count = text.split(from).length - 1;
  if (count === 1) return text.replace(from, () => to);
  throw new Error(`${file}: ${count === 0 ? 'nothing' : `${count} places`} read: ${from}`);
}

/** Changes one place of a file in a copy; returns what puts it back. */
export function changeFile(path, change) {
  const name = join(path, change.file);
  const text = readFileSync(name, 'utf8');
  writeFileSync(name, changed(text, change));
  return () => writeFileSync(name, text);
}
