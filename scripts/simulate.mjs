// Plays simulated worlds: several processes of the program against the sandbox, in one process and in an order that the
// seed decides. What is promised and not kept is printed with its seed; a run that did not see every rare state fails.
//
//   npm run simulate -- --help
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleSimulator, playWorlds, rareStates, rareStatesOfAgents } from '../test/simulation/bundle.mjs';
import { addResult, numberIn, optionsOf } from './script-options.mjs';

const usage = `npm run simulate -- [--seed S] [--worlds N] [--agents] [--trace] [--at-once N] [--results FILE]

  --seed S        the seed of the first world; 1 if not said
  --worlds N      how many worlds, of the seeds that follow; 1,000, or 1 with --trace
  --agents        worlds of agents: their servers, what clients do to them, and the persons who allow it
  --trace         prints every step of the last world
  --at-once N     how many processes play; one for each core
  --results FILE  adds what came of it to a file, for npm run proof-report
`;
const values = optionsOf(usage, {
  seed: { type: 'string', default: '1' },
  worlds: { type: 'string' },
  agents: { type: 'boolean', default: false },
  trace: { type: 'boolean', default: false },
  'at-once': { type: 'string', default: `${availableParallelism()}` },
  results: { type: 'string' },
});
const first = numberIn('seed', values.seed);
// A trace is of one world, unless more are asked for.
const many = numberIn('worlds', values.worlds ?? (values.trace ? '1' : '1000'));
const directory = mkdtempSync(join(tmpdir(), 'shopctl-simulator-'));
const print = (line) => process.stdout.write(`${line}\n`);
try {
  const simulator = await bundleSimulator(directory);
  const began = Date.now();
  const atOnce = numberIn('at-once', values['at-once']);
  const told = await playWorlds(simulator, { first, many, atOnce, isOfAgents: values.agents });
  const seconds = (Date.now() - began) / 1000;
  if (values.trace) print(told.trace);
  for (const { seed, trace } of told.broken) {
    const lines = trace.split('\n').filter((line) => !line.startsWith('    '));
    print(`npm run simulate --${values.agents ? ' --agents' : ''} --seed ${seed} --trace\n  ${lines.join('\n  ')}`);
  }
  for (const [name, count] of Object.entries(told.counts).sort()) print(`${String(count).padStart(8)}  ${name}`);
  const wanted = values.agents ? rareStatesOfAgents : rareStates;
  const missing = wanted.filter((name) => (told.counts[name] ?? 0) === 0);
  const pace = `${seconds.toFixed(0)} s, ${Math.round((many / seconds) * 60)} a minute`;
  print(
    `${many} worlds from seed ${first}, ${told.steps} steps, ${told.broken.length} broken; ${pace}; trace ${told.hash}`,
  );
  addResult(values.results, {
    run: values.agents ? 'simulation of agents' : 'simulation',
    first,
    many,
    steps: told.steps,
    seconds,
    broken: told.broken.map(({ seed }) => seed),
    counts: told.counts,
    rareStates: wanted,
  });
  if (missing.length > 0) print(`not seen: ${missing.join(', ')}`);
  process.exitCode = told.broken.length + missing.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
