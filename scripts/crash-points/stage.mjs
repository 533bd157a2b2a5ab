import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitHere } from '../proof.mjs';
import { listener, mirror } from './copies.mjs';
import { shipnow } from './deliveries.mjs';
import { ask, newMachine, putBack, run, startService } from './machine.mjs';
import { batch, single, undo } from './orders.mjs';

/** What is run, by name: each prepares a machine, has its words, and a judge that lets it go on and counts at the service. */
export const scripts = { single, batch, undo, listener, mirror, shipnow };

/** Fails where the runs cannot be. */
export function requireStrace() {
  if (spawnSync('strace', ['--version']).status === 0) return;
  process.stderr.write('strace is not installed: crash points need it (Linux: apt-get install strace)\n');
  process.exit(1);
}

/** Opens a service, plays on it, and removes everything. */
async function onStage(play) {
  requireStrace();
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-crash-points-'));
  const service = await startService(directory);
  try {
    return await play({ directory, service });
  } finally {
    await service.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Tries every run that is asked for on one stage, and prints what came of it: exit 1 where something was wrong. */
export async function tryRuns(runs, tryAll, summary) {
  await onStage(async (stage) => {
    let broken = 0;
    let left = 0;
    for (const name of runs) {
      const told = await tryAll(stage, name);
      broken += told.broken;
      left += told.left;
    }
    process.stdout.write(`${summary()}, ${broken} wrong in this run, ${left} left\n`);
    process.exitCode = broken === 0 ? 0 : 1;
  });
}

/** Which SQLite the program uses, as `doctor` says. */
async function driverOf(home, options) {
  const checks = await ask(home, ['doctor'], options);
  const { found } = checks.find(({ check }) => check === 'database');
  return /node:sqlite|better-sqlite3/.exec(found)[0];
}

/** A prepared machine and service, that are put back to that before each try. */
export async function prepare({ directory, service }, name, node) {
  const script = scripts[name];
  const home = newMachine(directory, service);
  const world = { home, service, node };
  const driver = await driverOf(home, { node });
  await service.control('reset');
  const data = await script.prepare(world);
  const copy = `${home}-copy`;
  cpSync(home, copy, { recursive: true });
  await service.control('snapshots/save', { name, replace: true });
  return {
    name,
    driver,
    home,
    copy,
    /** Runs it once, from the prepared state, under this command line. */
    async drive(under) {
      putBack(copy, home);
      await service.control('snapshots/restore', { name });
      if (script.drive !== undefined) return script.drive(world, data, { under });
      return run(home, script.words(world, data), { ...world, under });
    },
    /** Lets it go on, and says what is wrong then. */
    judge: (first, when) => script.judge(world, first, when, data),
    end: () => script.end?.(data),
  };
}

/** What was tried, a line of JSON each, so that a run goes on where the one before ended. */
export function openResults(path) {
  const tried = [];
  if (path !== undefined && existsSync(path)) {
    for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') tried.push(JSON.parse(line));
  }
  const keys = new Set(tried.map(keyOf));
  const commit = commitHere();
  return {
    tried,
    has: (point) => keys.has(keyOf(point)),
    add(found) {
      const result = { ...found, commit };
      tried.push(result);
      keys.add(keyOf(result));
      if (path !== undefined) appendFileSync(path, `${JSON.stringify(result)}\n`);
    },
  };
}

const keyOf = ({ run, driver, how, call, when }) => [run, driver, how, call, when].join(' ');
