import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { seededRandom } from '../support/seeded-random.ts';

/** `SHOPCTL_TEST_WRITES=1000 npx vitest run test/platform/settings-crash.proof.test.ts` for a long run. */
const writes = Number(process.env.SHOPCTL_TEST_WRITES ?? 60);
const writers = 4;

let scratch: string;
let program: string;
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'shopctl-crash-'));
  program = join(scratch, 'writer.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('settings-writer-process.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // What conf loads for its schemas is written in CommonJS and asks for require.
    banner: {
      js: `import{createRequire}from'node:module';const require=createRequire(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'error',
  });
});
afterAll(async () => {
  // Only when the test failed in the middle is there anyone left.
  const ends = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
  rmSync(scratch, { recursive: true });
});

const running = new Set<ChildProcess>();

interface Written {
  /** What the process had acknowledged when it ended. */
  readonly acknowledged: readonly string[];
  readonly killed: boolean;
}

/** Runs one writer; `doom` gets the process when it has begun and may kill it at any time after. */
function write(directory: string, name: string, count: number, doom: (child: ChildProcess) => void): Promise<Written> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, directory, name, String(count)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    let fault = '';
    child.stdout.on('data', (chunk) => {
      if (output === '') doom(child);
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      fault += chunk;
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      if (code !== 0 && signal !== 'SIGKILL') return reject(new Error(fault));
      const acknowledged = output.split('\n').filter((line) => line.startsWith(name));
      resolve({ acknowledged, killed: signal === 'SIGKILL' });
    });
  });
}

describe('several processes that save at once', () => {
  it(
    'lose nothing that was acknowledged, although some of them are killed at any moment',
    async () => {
      const directory = join(scratch, 'settings');
      const store = settingsIn(directory);
      const acknowledged: string[] = [];
      const random = seededRandom('which writers are killed');
      let generation = 0;
      let kills = 0;
      const keepWriting = async () => {
        while (acknowledged.length < writes) {
          const name = `writer${generation++}`;
          const remaining = Math.ceil((writes - acknowledged.length) / writers);
          const done = await write(directory, name, Math.min(remaining, 25), (child) => {
            // Two of three die: early enough to meet them at their first changes, with the loading of conf between.
            if (random() < 0.67) setTimeout(() => child.kill('SIGKILL'), random() * 250);
          });
          acknowledged.push(...done.acknowledged);
          if (done.killed) kills += 1;
          // Never half a file: whoever reads in between finds one whole state or another.
          await store.read();
        }
      };
      await Promise.all(Array.from({ length: writers }, keepWriting));

      const settings = (await store.update((before) => ({ ...before, current_profile: 'last' }))) as {
        changes?: number;
      } & Awaited<ReturnType<typeof store.read>>;
      const saved = Object.keys(settings.profiles);
      const lost = acknowledged.filter((profile) => !saved.includes(profile));
      if (process.env.SHOPCTL_TEST_WRITES) {
        console.log(
          `${acknowledged.length} acknowledged, ${saved.length} saved, ${kills} of ${generation} processes killed, ${lost.length} lost`,
        );
      }
      expect(lost).toEqual([]);
      // Each killed process can have saved one more than it could say.
      expect(saved.length - acknowledged.length).toBeLessThanOrEqual(kills);
      expect(settings.changes).toBe(saved.length);
      // A lock's draft of which nothing was written yet tells nobody's number and is kept for a minute.
      expect(readdirSync(directory).filter((name) => !name.startsWith('config.json.lock.new-'))).toEqual([
        'config.json',
      ]);
    },
    Math.max(60_000, writes * 200),
  );
});
