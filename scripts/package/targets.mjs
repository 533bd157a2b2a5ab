// What `npm run package` makes, and from what: each package of Node is pinned by the hash of its archive.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The Node that is in the executables. */
export const nodeVersion = '24.21.0';

/** The executables: where npm has a package of this Node. There is none for macOS. */
export const targets = [
  {
    name: 'linux-x64',
    file: 'shopctl-linux-x64',
    node: 'bin/node',
    debian: 'amd64',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  {
    name: 'linux-arm64',
    file: 'shopctl-linux-arm64',
    node: 'bin/node',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  {
    name: 'win-x64',
    file: 'shopctl-win-x64.exe',
    node: 'bin/node.exe',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
];

/** What puts the program into Node's executable. */
export const injector = {
  package: 'postject',
  version: '1.0.0-alpha.6',
  integrity: 'sha512-b9Eb8h2eVqNE8edvKdwqkrY6O7kAwmI8kcnBv1NScolYJbo59XUF0noFq+lxbC1yN20bmC0WBEbDC5H/7ASb0A==',
};

/** The package of a target's Node. */
export const nodeOf = ({ name, integrity }) => ({ package: `node-${name}`, version: nodeVersion, integrity });

/** Where packages are stored between runs: outside the project, and no dependency of it. */
export const cacheOfPackages = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'shopctl-package');

const integrityOf = (file) => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;

/**
 * The directory of a package, unpacked in the cache; npm fetches it if it is not there. Throws if its archive is not the
 * pinned one.
 */
export function fetched({ package: name, version, integrity }, cache = cacheOfPackages()) {
  const place = join(cache, `${name}-${version}`);
  const archive = join(cache, `${name}-${version}.tgz`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(archive)) {
    process.stderr.write(`package: fetching ${name} ${version}\n`);
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', cache], { cwd: cache });
  }
  const found = integrityOf(archive);
  if (found !== integrity) {
    rmSync(archive, { force: true });
    throw new Error(`${name} ${version} is not the pinned archive: ${found}`);
  }
  if (!existsSync(place)) {
    const draft = `${place}.${process.pid}`;
    mkdirSync(draft);
    execFileSync('tar', ['-xzf', archive, '-C', draft, '--strip-components=1']);
    renameSync(draft, place);
  }
  return place;
}
