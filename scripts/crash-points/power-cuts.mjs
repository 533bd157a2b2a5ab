// Cuts the power of the built program before each of its synchronisations and after its end: from strace's log of what it
// wrote, the files are rebuilt with what a disk would have of them. Then it goes on as its messages say, and the referee
// counts at the sandbox.
//
//   npm run power-cuts [-- --run NAME,NAME] [--cut strict,names,torn,random] [--seed S] [--node PATH] [--results FILE]
//     [--minutes N]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cutNames, diskOf } from './disk.mjs';
import { contentsOf, writeFiles } from './machine.mjs';
import { openResults, prepare, scripts, tryRuns } from './stage.mjs';
import { counting, pointsOf, recording, replay } from './strace.mjs';

const { values } = parseArgs({
  options: {
    run: { type: 'string', default: Object.keys(scripts).join() },
    cut: { type: 'string', default: cutNames.join() },
    seed: { type: 'string', default: '1' },
    node: { type: 'string', default: process.execPath },
    results: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const print = (line) => process.stdout.write(`${line}\n`);
const results = openResults(values.results);
const until = Date.now() + Number(values.minutes) * 60_000;
const synchronisations = ['fsync', 'fdatasync'];

/** The same numbers for the same words (mulberry32). */
function randomFrom(words) {
  let state = [...words].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619), 2_166_136_261);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Fails unless the log tells of every write: what it rebuilds is what is there. */
function requireWhole(disk, home) {
  const there = contentsOf(home);
  const rebuilt = disk.contents();
  for (const path of new Set([...there.keys(), ...rebuilt.keys()])) {
    if (path.endsWith('-shm') || there.get(path)?.equals(rebuilt.get(path) ?? Buffer.from('none'))) continue;
    throw new Error(
      `${path} was rebuilt otherwise: ${rebuilt.get(path)?.length} bytes, not ${there.get(path)?.length}`,
    );
  }
}

/** Runs it to a synchronisation, or to its end, and leaves of its files what a power cut leaves. */
async function cutPower(stage, prepared, { call, when, how, of }) {
  const log = join(stage.directory, 'calls');
  const first = await prepared.drive(recording(log, call, when > of ? undefined : when));
  const disk = diskOf(contentsOf(prepared.copy), prepared.home);
  const onTheirWay = replay(readFileSync(log, 'utf8'), disk);
  if (onTheirWay === 0) requireWhole(disk, prepared.home);
  const lost = disk.cut(how, randomFrom([values.seed, prepared.name, call, when].join(' ')));
  writeFiles(prepared.home, lost);
  return { first, reached: when > of || first.exit === 'SIGKILL' };
}

async function tryAll(stage, name) {
  const prepared = await prepare(stage, name, values.node);
  const log = join(stage.directory, 'calls');
  await prepared.drive(counting(log, synchronisations));
  const told = { broken: 0, left: 0 };
  for (const [call, { most }] of pointsOf(log, synchronisations)) {
    for (const how of most === 0 && call === 'fdatasync' ? [] : values.cut.split(',')) {
      let tried = 0;
      for (let when = 1; when <= most + 1; when += 1) {
        const point = { run: name, driver: prepared.driver, how, call, when, of: most };
        if (results.has(point)) continue;
        if (Date.now() > until) {
          told.left += 1;
          continue;
        }
        const { first, reached } = await cutPower(stage, prepared, point);
        const { wrong, again } = await prepared.judge(first, when);
        results.add({ ...point, reached, first: first.exit, again, wrong });
        for (const what of wrong) print(`${name}: ${how} cut at ${call} ${when}: ${what}`);
        tried += 1;
        told.broken += wrong.length === 0 ? 0 : 1;
      }
      if (tried > 0) print(`${name}, ${prepared.driver}: ${how} cut at ${tried} of ${most + 1} moments`);
    }
  }
  prepared.end();
  return told;
}

await tryRuns(values.run.split(','), tryAll, () => `${results.tried.length} power cuts`);
