// Runs the long random tests again and again with real processes, real servers and kills, each round from another seed.
// Ends at the first promise that is not kept, and prints the seed that plays it again.
//
//   npm run soak [-- --minutes N] [--seed S] [--only FILE,FILE] [--record]
//
// With --record, a run without a fault writes its row into docs/proof-runs.md.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { recordRun } from './proof.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});

const tests = [
  'test/batch/killed.proof.test.ts',
  'test/batch/killed-on-postgres.proof.test.ts',
  'test/batch/together.proof.test.ts',
  'test/promises/kills.proof.test.ts',
  'test/promises/killed-writes.proof.test.ts',
  'test/promises/interleavings/on-postgres.proof.test.ts',
  'test/events/killed.proof.test.ts',
  'test/mirror/random.proof.test.ts',
];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const files = values.only?.split(',') ?? tests;
const began = Date.now();
const until = began + Number(values.minutes) * 60_000;
let seed = Number(values.seed);
let red = false;
do {
  const env = { ...process.env, SHOPCTL_TEST_SEED: `${seed}` };
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], { env, stdio: 'inherit' });
  red = status !== 0;
  process.stdout.write(`seed ${seed}: ${red ? 'a promise was not kept' : 'every promise was kept'}\n`);
  if (red) process.stdout.write(`npm run soak -- --minutes 0 --seed ${seed}\n`);
  seed += 1;
} while (!red && Date.now() < until);
if (red) process.exitCode = 1;
else if (values.record) {
  const only = files === tests ? '' : ` (${files.map((path) => path.replace(/^test\/|\.test\.ts$/g, '')).join(', ')})`;
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  const rounds = seed - Number(values.seed);
  recordRun(
    'soak',
    `soak from seed ${values.seed}${only}`,
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'} in ${minutes} minutes; every promise kept`,
  );
}
