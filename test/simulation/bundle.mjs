// Bundles the simulator: the program as it is, but for what it reaches of the machine, in whose place the substitutes stand.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const own = (name) => join(here, 'substitutes', `${name}.ts`);

/** What stands in for what, by the end of its path; only where the program or the game imports it. */
const substitutes = [
  [/\/platform\/sqlite\/sqlite-connection\.ts$/, own('sqlite-connection')],
  [/\/platform\/sqlite\/sqlite\.ts$/, own('sqlite')],
  [/\/platform\/process\/clock\.ts$/, own('clock')],
  [/\/platform\/files\/lock-holder\.ts$/, own('lock-holder')],
  [/\/platform\/files\/file-parts\.ts$/, own('file-parts')],
  [/\/platform\/process\/free-memory\.ts$/, own('machine')],
  [/\/platform\/server\/http-server\.ts$/, own('machine')],
  [/^node:fs\/promises$/, own('machine')],
  [/^node:crypto$/, own('crypto')],
];

const onStage = {
  name: 'on-stage',
  setup(bundler) {
    const unused = new Set(substitutes.map(([, file]) => file));
    bundler.onEnd(({ errors }) => {
      // One that stands for nothing would leave the machine itself in the game.
      if (errors.length === 0 && unused.size > 0) throw new Error(`nothing is replaced by ${[...unused].join(', ')}`);
    });
    bundler.onResolve({ filter: /./ }, ({ path, importer, resolveDir }) => {
      if (importer.startsWith(here)) return undefined;
      const whole = path.startsWith('.') ? resolve(resolveDir, path) : path;
      const found = substitutes.find(([end]) => end.test(whole));
      const isOurs = importer.startsWith(resolve(here, '../../src')) || importer.startsWith(resolve(here, '..'));
      if (found === undefined || !isOurs) return undefined;
      unused.delete(found[1]);
      return { path: found[1] };
    });
  },
};

/** Writes the simulator into a directory, and returns its path. */
export async function bundleSimulator(directory) {
  const outfile = join(directory, 'simulate.cjs');
  await build({
    entryPoints: [join(here, 'simulate.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['better-sqlite3'],
    inject: [own('globals')],
    supported: { 'dynamic-import': false },
    define: { 'Math.random': 'simulatedRandom', 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
    banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [onStage],
    logLevel: 'error',
  });
  symlinkSync(resolve(here, '../../node_modules'), join(directory, 'node_modules'));
  return outfile;
}

/** States that a run has to reach, or it proves little. */
export const rareStates = [
  'claim lost',
  'owner woken',
  'clash on a derived name',
  'clash on a given name',
  '--again number',
  'undone given name',
  'held_by',
  'killed',
  'killed after a commit',
  'interrupted',
  'waited',
  'names not unique',
  'text rewritten',
  'settled by a word',
  'changed by a row',
  'restored by an undo',
  'request throttled-then-refused',
  'request throttled-then-interrupted',
  'request unreadable-409',
  'request delivered late',
  'equal changes within a second',
  'acknowledgement lost',
  'change handed on again',
  'target taken over',
  'listener waited for its name',
  'edge: anothers',
  'edge: empty',
  'edge: lost, look-ups of another',
  'edge: a proposal was followed',
  'edge: backup of a batch put back',
  'edge: a plan edited',
  'edge: a plan sorted',
  'edge: a ledger moved to a fresh place',
  'edge: a ledger moved into another one',
  'edge: a form sent again',
  'edge: a form of a console whose ledger was moved',
];

/** States that a run of worlds of agents has to reach. */
export const rareStatesOfAgents = [
  'by a person',
  'by the policy',
  'apply: needs_approval',
  'apply: refused',
  'apply: partial',
  'applied on two servers',
  'applied twice on a server',
  'killed during an apply',
  'stopped during an apply',
  'server killed',
  'policy changed and not accepted',
  'planned, allowed by person',
  'planned, allowed by policy',
  'plan edited',
  'clock set back',
  'disturbed, and answers',
  'at the end: done',
];

/** So many worlds are played by one process, which is then replaced: nothing piles up. */
const WORLDS_A_PROCESS = 1_000;
/** So many at a time, so that no process waits long for another at the end. */
const WORLDS_A_PART = 20;

/** A process that plays parts, one after another. */
async function openPlayer(simulator) {
  const child = fork(simulator, [], {
    execArgv: ['--max-semi-space-size=64'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const heard = () =>
    new Promise((resolve, reject) => {
      const onExit = (code) => reject(new Error(`the simulator ended with exit ${code}`));
      child.once('exit', onExit);
      child.once('message', (message) => {
        child.off('exit', onExit);
        resolve(message);
      });
    });
  await heard();
  return {
    played: 0,
    play(first, many, isOfAgents) {
      this.played += many;
      child.send({ first, many, isOfAgents });
      return heard();
    },
    async close() {
      const exited = new Promise((done) => child.once('exit', done));
      child.disconnect();
      await exited;
    },
  };
}

/** Plays the worlds of so many seeds from the first one on. */
export async function playWorlds(simulator, { first, many, atOnce, isOfAgents = false }) {
  const waiting = Array.from({ length: Math.ceil(many / WORLDS_A_PART) }, (_, part) => part);
  const parts = [];
  const playParts = async () => {
    let player;
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      player ??= await openPlayer(simulator);
      const start = part * WORLDS_A_PART;
      parts[part] = await player.play(first + start, Math.min(WORLDS_A_PART, many - start), isOfAgents);
      if (player.played < WORLDS_A_PROCESS) continue;
      await player.close();
      player = undefined;
    }
    await player?.close();
  };
  await Promise.all(Array.from({ length: atOnce }, playParts));
  const counts = {};
  for (const part of parts) {
    for (const [name, count] of Object.entries(part.counts)) counts[name] = (counts[name] ?? 0) + count;
  }
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part.hash);
  return {
    steps: parts.reduce((sum, { steps }) => sum + steps, 0),
    broken: parts.flatMap(({ broken }) => broken),
    counts,
    hash: hash.digest('hex').slice(0, 16),
    trace: parts.at(-1)?.trace ?? '',
  };
}
