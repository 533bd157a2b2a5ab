// Makes an executable that needs no Node: Node's own, with the program and the build's files injected.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where Node looks for an injected program. */
const NAME = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The files of a build that an executable has: no source maps, and no code that was compiled for another Node. */
export const filesOf = (dist) =>
  readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
    .filter((path) => !path.endsWith('.map') && !/(?:^|\/)code\//.test(path))
    .sort();

/** One after another, with where each stands, under a name that is theirs alone. */
export function packed(dist, version) {
  const files = {};
  const parts = [];
  let at = 0;
  for (const path of filesOf(dist)) {
    const bytes = readFileSync(join(dist, path));
    files[path] = [at, at + bytes.length];
    at += bytes.length;
    parts.push(bytes);
  }
  const bytes = Buffer.concat(parts);
  const hash = createHash('sha256').update(JSON.stringify(files)).update(bytes).digest('hex');
  return { index: { name: `${version}-${hash.slice(0, 32)}`, files }, bytes };
}

/** What is injected into each executable: made by the same Node, and equal for all systems. */
export async function makeBlob({ dist, version, node }) {
  const place = mkdtempSync(join(tmpdir(), 'shopctl-blob-'));
  try {
    const { index, bytes } = packed(dist, version);
    writeFileSync(join(place, 'index'), JSON.stringify(index));
    writeFileSync(join(place, 'files'), bytes);
    await build({
      absWorkingDir: root,
      entryPoints: ['src/one-file.ts'],
      outfile: join(place, 'shopctl.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node24',
      minify: true,
      legalComments: 'none',
      logLevel: 'warning',
    });
    const config = {
      // Relative: the blob contains this path.
      main: 'shopctl.cjs',
      output: 'blob',
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      // Compiled code would be of one processor alone.
      useCodeCache: false,
      assets: { index: 'index', files: 'files' },
    };
    writeFileSync(join(place, 'config.json'), JSON.stringify(config));
    execFileSync(node, ['--experimental-sea-config', 'config.json'], {
      cwd: place,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return readFileSync(join(place, 'blob'));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/**
 * Removes the signature of a Windows executable, which is not valid for what is injected: an unsigned program is
 * trusted more than one with a wrong signature. It is the last part of the file, and an entry of its header.
 */
export function withoutSignature(bytes) {
  const header = bytes.readUInt32LE(0x3c);
  if (bytes.toString('latin1', header, header + 4) !== 'PE\0\0') throw new Error('this is no Windows executable');
  const optional = header + 24;
  // PE32+ has 112 bytes before its directories; the fifth is that of certificates, eight bytes each.
  const entry = optional + 112 + 4 * 8;
  const [at, size] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)];
  if (size === 0) return bytes;
  if (at + size !== bytes.length) throw new Error('the signature is not the last part of the executable');
  const unsigned = Buffer.from(bytes.subarray(0, at));
  unsigned.writeUInt32LE(0, entry);
  unsigned.writeUInt32LE(0, entry + 4);
  return unsigned;
}

/** Writes an executable: a Node with the blob. A process of its own does it, since it takes a gigabyte, and keeps it. */
export function makeExecutable({ node, injector, blob, output }) {
  if (output.endsWith('.exe')) writeFileSync(output, withoutSignature(readFileSync(node)));
  else copyFileSync(node, output);
  chmodSync(output, 0o755);
  execFileSync(process.execPath, [fileURLToPath(import.meta.url), injector, output], {
    input: blob,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  chmodSync(output, 0o755);
}

/** Injects what comes on stdin. */
async function main([injector, output]) {
  const { inject } = createRequire(import.meta.url)(join(injector, 'dist/api.js'));
  const { warn } = console;
  // It warns of each name of a section that it does not know.
  console.warn = (text) => /string offset for section name/.test(text) || warn(text);
  await inject(output, NAME, readFileSync(0), { sentinelFuse: FUSE });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
