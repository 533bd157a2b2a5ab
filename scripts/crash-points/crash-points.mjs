// Kills the built program at each of its system calls that write or synchronise, and fails each of them once with a full
// disk and a broken one, under strace. After each, it goes on as its messages say, and the referee counts at the sandbox.
//
//   npm run crash-points [-- --run NAME,NAME] [--call fsync,fdatasync,write,pwrite64] [--how KILL,ENOSPC,EIO]
//     [--from K] [--to L] [--every N] [--node PATH] [--results FILE] [--minutes N]
//
// With --results, what was tried is not tried again. --node runs the program with another Node: one that the installed
// better-sqlite3 was not built for has node:sqlite.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openResults, prepare, scripts, tryRuns } from './stage.mjs';
import { counting, injecting, pointsOf, wasReached } from './strace.mjs';

const { values } = parseArgs({
  options: {
    run: { type: 'string', default: Object.keys(scripts).join() },
    call: { type: 'string', default: 'fsync,fdatasync,pwrite64,write' },
    how: { type: 'string', default: 'KILL,ENOSPC,EIO' },
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: 'Infinity' },
    every: { type: 'string', default: '1' },
    node: { type: 'string', default: process.execPath },
    results: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const print = (line) => process.stdout.write(`${line}\n`);
const results = openResults(values.results);
const until = Date.now() + Number(values.minutes) * 60_000;
const [from, to, every] = [Number(values.from), Number(values.to), Number(values.every)];

async function callsOf(stage, prepared) {
  const log = join(stage.directory, 'calls');
  const calls = values.call.split(',');
  const { exit, stderr } = await prepared.drive(counting(log, calls));
  if (exit !== 0) throw new Error(`${prepared.name} fails by itself: exit ${exit}: ${stderr}`);
  const points = pointsOf(log, calls);
  rmSync(log);
  return points;
}

async function tryPoint(stage, prepared, point) {
  const log = join(stage.directory, 'calls');
  const first = await prepared.drive(injecting(point, log));
  const reached = wasReached(log);
  const { wrong, again } = await prepared.judge(first, point.when);
  results.add({ ...point, reached, first: first.exit, again, wrong });
  for (const what of wrong) print(`${prepared.name}: ${point.how} at ${point.call} ${point.when}: ${what}`);
  return wrong.length === 0;
}

/** Tries every point of one run; how many broke a promise, and how many are left. */
async function tryAll(stage, name) {
  const prepared = await prepare(stage, name, values.node);
  const told = { broken: 0, left: 0 };
  for (const [call, { most, files }] of await callsOf(stage, prepared)) {
    for (const how of values.how.split(',')) {
      let tried = 0;
      let broken = 0;
      for (let when = from; when <= Math.min(most, to); when += every) {
        const of = how === 'KILL' ? most : files.size;
        const point = { run: name, driver: prepared.driver, how, call, when, of };
        if (results.has(point) || (how !== 'KILL' && !files.has(when))) continue;
        if (Date.now() > until) told.left += 1;
        else {
          tried += 1;
          if (!(await tryPoint(stage, prepared, point))) broken += 1;
        }
      }
      told.broken += broken;
      if (tried > 0) print(`${name}, ${prepared.driver}: ${how} at ${tried} of ${most} ${call}: ${broken} wrong`);
    }
  }
  prepared.end();
  return told;
}

await tryRuns(values.run.split(','), tryAll, () => `${results.tried.length} points tried`);
