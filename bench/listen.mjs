// The listener under load, compared with its yardsticks in one run: medians of interleaved rounds.
//
//   node bench/listen.mjs [--rounds 3] [--seconds 4] [--kept 1000000] [--backlog 100000]
//
// Acknowledging: callbacks of one change over 16 connections to `webhooks listen`, and to a bare node:http server that
// parses and responds. Forwarding: a backlog delivered to a target that responds at once, and a bare loop with undici
// that sends the same requests, 16 at a time; each in a separate process, timed by the target from the first change to
// the last. Listing: the first page with that many changes stored. On a busy machine compare processor times.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    kept: { type: 'string', default: '1000000' },
    backlog: { type: 'string', default: '100000' },
  },
});
const [rounds, seconds, kept, backlog] = ['rounds', 'seconds', 'kept', 'backlog'].map((name) => Number(values[name]));
const CONNECTIONS = 16;
const bin = join(root, 'bin', 'shopctl.js');
const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const env = { ...process.env, SHOPCTL_CONFIG_DIR: join(directory, 'config'), NO_COLOR: '1' };
const running = new Set();
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

let orders = 0;
function change() {
  orders += 1;
  const record = {
    id: String(1_000_000_000_000_000_000n + BigInt(orders)),
    shop_id: '1000000000000000009',
    order_note: 'Giao giờ hành chính',
    updated_at: '2026-01-31T08:00:00Z',
  };
  const latest = {
    ...record,
    code: `DH${orders}`,
    status: 'S',
    total_amount: 350_000,
    lines: [{ product_name: 'Trà sen', quantity: 2 }],
  };
  return {
    change_type: 'update',
    entity: 'order',
    time: '2026-01-31T08:00:00Z',
    changed: { order: record },
    latest: { order: latest },
  };
}
const callback = () => JSON.stringify({ id: String(5_000_000_000_000_000_000n + BigInt(orders)), changes: [change()] });

async function start(words) {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${words.join(' ')} ended with ${code}`)));
  });
  lines.on('line', () => {});
  return { child, ready: JSON.parse(line) };
}

async function stop({ child }) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  running.delete(child);
}

/** Sends the same change the given number of times, 16 at a time, and nothing else. */
const startBareLoop = (url, count) =>
  start([
    '--input-type=module',
    '-e',
    `const { Pool } = await import(${JSON.stringify(import.meta.resolve('undici'))});
      const bodies = Array.from({ length: 1000 }, (_, index) => ${JSON.stringify(callback())}.replace('500000', 500000 + index));
      const pool = new Pool(${JSON.stringify(new URL(url).origin)}, { connections: ${CONNECTIONS}, pipelining: 1 });
      let sent = 0;
      const work = async () => {
        while (sent < ${count}) {
          const body = bodies[sent++ % 1000];
          const headers = { 'content-type': 'application/json', 'user-agent': 'bare/1.0', 'x-shopctl-change': '5000000000000000000' };
          const answer = await pool.request({ method: 'POST', path: '/', headers, body });
          await answer.body.text();
        }
      };
      console.log('{}');
      await Promise.all(Array.from({ length: ${CONNECTIONS} }, work));
      process.once('SIGTERM', () => process.exit());
      setInterval(() => {}, 1000);`,
  ]);

const startListener = (...flags) => start([bin, 'webhooks', 'listen', '--port', '0', '--json', ...flags]);

/** A server that only parses and responds. */
const startBare = () =>
  start([
    '-e',
    `require('node:http').createServer((q, r) => { const c = []; q.on('data', (d) => c.push(d));
      q.on('end', () => { JSON.parse(Buffer.concat(c)); r.end('ok'); }); }).listen(0, '127.0.0.1', function () {
      console.log(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port + '/' })); });`,
  ]);

/** The most memory that a process has had, in MiB; NaN where the system does not report it. */
function peakMebibytes({ child }) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Processor time used by a process in seconds; NaN where the system does not report it. */
function processorSeconds({ child }) {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/**
 * Callbacks per second, latency of each, and processor time of the receiver: on a busy machine only the last is
 * reliable.
 */
async function acknowledge(receiver) {
  const { url } = receiver.ready;
  const used = processorSeconds(receiver);
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const times = [];
  const until = performance.now() + seconds * 1000;
  const began = performance.now();
  const work = async () => {
    while (performance.now() < until) {
      const sent = performance.now();
      const { statusCode, body } = await pool.request({ method: 'POST', path, body: callback() });
      if (statusCode !== 200 || (await body.text()) !== 'ok') throw new Error(`answered ${statusCode}`);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const took = (performance.now() - began) / 1000;
  await pool.close();
  times.sort((one, other) => one - other);
  const processorMs = ((processorSeconds(receiver) - used) * 1000) / times.length;
  return { perSecond: times.length / took, processorMs, p50: at(times, 0.5), p99: at(times, 0.99) };
}

/** A target that counts and accepts; returns how long the changes of a run took to arrive, in seconds. */
async function startTarget() {
  let expected = { count: 0, resolve: () => {} };
  let [count, began] = [0, 0];
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.end('ok');
      if (count === 0) began = performance.now();
      count += 1;
      if (count === expected.count) expected.resolve((performance.now() - began) / 1000);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    reach(more) {
      count = 0;
      return new Promise((resolve) => {
        expected = { count: more, resolve };
      });
    },
    close: () => server.close(),
  };
}

function openDatabase(path) {
  const require = createRequire(import.meta.url);
  try {
    return new (require('better-sqlite3'))(path);
  } catch {
    return new (require('node:sqlite').DatabaseSync)(path);
  }
}

/** Adds changes to the workspace as if they had arrived long ago. */
function plant(count, workspace) {
  const database = openDatabase(workspace);
  const event =
    database.prepare(`INSERT INTO events (hook, received_at, entity, change_type, record_id, shop_id, time, content, occurrence)
    VALUES ('default', ?, 'order', 'update', ?, '1000000000000000009', '2026-01-31T08:00:00Z', ?, 1)`);
  const content = database.prepare('INSERT INTO event_contents (seq, change) VALUES (?, ?)');
  for (let done = 0; done < count; ) {
    database.exec('BEGIN');
    for (const end = Math.min(count, done + 20_000); done < end; done += 1) {
      const one = change();
      const { lastInsertRowid } = event.run(
        new Date(1_700_000_000_000 + orders).toISOString(),
        one.latest.order.id,
        `planted${orders}`,
      );
      content.run(lastInsertRowid, JSON.stringify(one));
    }
    database.exec('COMMIT');
  }
  database.close();
}

function listPage() {
  const began = performance.now();
  execFileSync(process.execPath, [bin, 'events', 'list', '--limit', '100', '-o', 'json'], { env, maxBuffer: 1e8 });
  return performance.now() - began;
}

async function acknowledging(label) {
  const [listener, bare] = [await startListener(), await startBare()];
  const [ours, theirs] = [[], []];
  await acknowledge(listener);
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await acknowledge(listener));
    theirs.push(await acknowledge(bare));
  }
  const { workspace } = listener.ready;
  const peaks = [listener, bare].map((each) => peakMebibytes(each).toFixed(0));
  await stop(listener);
  await stop(bare);
  const of = (results, field) => median(results.map((result) => result[field]));
  const shown = (results) =>
    `${of(results, 'perSecond').toFixed(0)}/s, p50 ${of(results, 'p50').toFixed(1)} ms, p99 ${of(results, 'p99').toFixed(1)} ms, processor ${of(results, 'processorMs').toFixed(2)} ms each`;
  console.log(
    `${label}: ${shown(ours)}, peak ${peaks[0]} MiB\n  bare node:http: ${shown(theirs)}, peak ${peaks[1]} MiB`,
  );
  return workspace;
}

try {
  mkdirSync(join(directory, 'config'), { recursive: true });
  console.log(
    `node ${process.version}, ${cpus().length} cores; medians of ${rounds} interleaved rounds of ${seconds} s`,
  );
  const workspace = await acknowledging('acknowledged, new workspace');
  const few = Array.from({ length: 5 }, listPage);
  plant(kept, workspace);
  await acknowledging(`acknowledged, ${kept.toLocaleString('en')} kept`);
  const many = Array.from({ length: 5 }, listPage);
  const version = Array.from({ length: 5 }, () => {
    const began = performance.now();
    execFileSync(process.execPath, [bin, 'events', 'show', '--help'], { env });
    return performance.now() - began;
  });
  console.log(
    `events list, first page: ${median(few).toFixed(0)} ms, with ${kept.toLocaleString('en')} kept ${median(many).toFixed(0)} ms (a help alone: ${median(version).toFixed(0)} ms)`,
  );

  const target = await startTarget();
  const flags = ['--forward-to', target.url, '--target-name', 'bench'];
  /** Changes per second, and the sender's processor time for each. */
  const timed = async (begin) => {
    const all = target.reach(backlog);
    const sender = await begin();
    const used = processorSeconds(sender);
    const took = await all;
    const processorMs = ((processorSeconds(sender) - used) * 1000) / backlog;
    await stop(sender);
    return { perSecond: backlog / took, processorMs };
  };
  const [ours, theirs] = [[], []];
  // The first run creates the target; what is added while nobody listens is its backlog.
  await stop(await startListener(...flags));
  for (let round = 0; round < rounds; round += 1) {
    plant(backlog, workspace);
    ours.push(await timed(() => startListener(...flags)));
    theirs.push(await timed(() => startBareLoop(target.url, backlog)));
  }
  target.close();
  const of = (results, field) => median(results.map((result) => result[field]));
  const shown = (results) =>
    `${of(results, 'perSecond').toFixed(0)}/s, processor ${of(results, 'processorMs').toFixed(3)} ms each`;
  const ratio = (field) => median(ours.map((result, index) => result[field] / theirs[index][field]));
  console.log(
    `backlog of ${backlog.toLocaleString('en')} forwarded: ${shown(ours)}\n  bare undici loop: ${shown(theirs)}\n  ratio ${ratio('perSecond').toFixed(2)}, by processor time ${(1 / ratio('processorMs')).toFixed(2)}`,
  );
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}
