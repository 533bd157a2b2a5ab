// Plays simulated worlds: several processes of the program against the sandbox, in one process and in an order that the
// seed decides. What is promised and not kept is printed with its seed; a run that did not see every rare state fails.
//
//   npm run simulate [-- --seed S] [--worlds N] [--trace]
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleSimulator, playWorlds, rareStates } from '../test/simulation/bundle.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed);
// A trace is of one world, unless more are asked for.
const many = Number(values.worlds ?? (values.trace ? 1 : 1000));
const directory = mkdtempSync(join(tmpdir(), 'shopctl-simulator-'));
const print = (line) => process.stdout.write(`${line}\n`);
try {
  const simulator = await bundleSimulator(directory);
  const began = Date.now();
  const told = await playWorlds(simulator, { first, many, atOnce: availableParallelism() });
  const seconds = (Date.now() - began) / 1000;
  if (values.trace) print(told.trace);
  for (const { seed, trace } of told.broken) {
    const lines = trace.split('\n').filter((line) => !line.startsWith('    '));
    print(`npm run simulate -- --seed ${seed} --trace\n  ${lines.join('\n  ')}`);
  }
  for (const [name, count] of Object.entries(told.counts).sort()) print(`${String(count).padStart(8)}  ${name}`);
  const missing = rareStates.filter((name) => (told.counts[name] ?? 0) === 0);
  const pace = `${seconds.toFixed(0)} s, ${Math.round((many / seconds) * 60)} a minute`;
  print(
    `${many} worlds from seed ${first}, ${told.steps} steps, ${told.broken.length} broken; ${pace}; trace ${told.hash}`,
  );
  if (missing.length > 0) print(`not seen: ${missing.join(', ')}`);
  process.exitCode = told.broken.length + missing.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
