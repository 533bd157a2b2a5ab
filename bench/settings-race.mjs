// Many processes write the settings concurrently, and some are killed: no profile whose command succeeded may be lost,
// and the file must always be valid.
//
//   node bench/settings-race.mjs [--writes 1000] [--processes 6] [--kill 0.15]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const bin = fileURLToPath(new URL('../bin/shopctl.js', import.meta.url));
const { values } = parseArgs({
  options: {
    writes: { type: 'string', default: '1000' },
    processes: { type: 'string', default: '6' },
    kill: { type: 'string', default: '0.15' },
  },
});
const [writes, processes, killShare] = [Number(values.writes), Number(values.processes), Number(values.kill)];
const directory = mkdtempSync(join(tmpdir(), 'shopctl-race-'));
const env = { ...process.env, SHOPCTL_CONFIG_DIR: directory };

/** One `profiles add`, possibly killed while running; returns whether it reported success. */
function write(name) {
  return new Promise((resolve) => {
    const words = [bin, 'profiles', 'add', name, '--base-url', 'https://shop.example', '--no-input', '-q'];
    const child = spawn(process.execPath, words, { env, stdio: 'ignore' });
    const timer =
      Math.random() < killShare ? setTimeout(() => child.kill('SIGKILL'), 60 + Math.random() * 150) : undefined;
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      resolve({ acknowledged: code === 0, killed: signal === 'SIGKILL' });
    });
  });
}

const acknowledged = new Set();
let killed = 0;
let next = 0;

async function writer() {
  while (next < writes) {
    const name = `p${next++}`;
    const result = await write(name);
    if (result.acknowledged) acknowledged.add(name);
    if (result.killed) killed += 1;
    JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8'));
  }
}

try {
  await write('first');
  await Promise.all(Array.from({ length: processes }, writer));
  const listed = spawnSync(process.execPath, [bin, 'profiles', 'list', '-o', 'name'], { env, encoding: 'utf8' });
  const found = new Set(listed.stdout.trim().split('\n'));
  const lost = [...acknowledged].filter((name) => !found.has(name));
  console.log(
    `${writes} writes by ${processes} processes at once: ${acknowledged.size} succeeded, ${killed} killed, ${lost.length} lost`,
  );
  process.exitCode = lost.length === 0 && listed.status === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
