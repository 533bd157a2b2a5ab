import files, { writeSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { systemClock } from '../../src/platform/process/clock.ts';
import { openCore } from '../../src/sandbox/engine/core.ts';
import { systemRandom } from '../../src/sandbox/engine/store/ids.ts';
import { serveCore } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { watchStatements } from '../support/watched-sqlite.ts';

// Run as a process of its own, which dies by SIGKILL at a chosen moment of a chosen action:
//   write:N      before the Nth statement that writes (1 is BEGIN), counted from when the action begins
//   sql:TEXT     before the first statement that begins so
//   commit       after the commit, before anybody hears of it
//   answer       in the middle of the first answer
//   rename:before, rename:after   around the moment when a snapshot gets its name
//   none         when its parent kills it
// The actions: `serve` waits for requests, `save` and `restore` a snapshot named s, `checkpoint` writes and checkpoints
// without end and says `written N` before each checkpoint.
const [, , data = '', action = 'serve', moment = 'none'] = process.argv;
const [kind = '', detail = ''] = moment.split(/:(.*)/s);

let armed = false;
let writes = 0;

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function beforeStatement(sql: string): void {
  if (!armed) return;
  if (!/^\s*(?:select|pragma)/i.test(sql)) writes += 1;
  if (kind === 'write' && writes === Number(detail)) die();
  if (kind === 'sql' && sql.trimStart().toUpperCase().startsWith(detail.toUpperCase())) die();
}

await watchStatements(beforeStatement);

if (kind === 'rename') {
  const { renameSync } = files;
  files.renameSync = (from, to) => {
    if (detail === 'before') die();
    renameSync(from, to);
    die();
  };
  syncBuiltinESMExports();
}

if (kind === 'answer') {
  ServerResponse.prototype.end = function (this: ServerResponse, chunk?: unknown) {
    const bytes = Buffer.from(String(chunk));
    this.write(bytes.subarray(0, bytes.length / 2), die);
    return this;
  } as ServerResponse['end'];
}

const core = await openCore({ data, clock: systemClock, random: systemRandom, recordsUnheard: true });
const sandbox = await serveCore(core, { seed: 'none' });
if (kind === 'commit') core.onCommit(die);
const { baseUrl } = await startServer(sandbox, { port: 0 });
armed = true;
writeSync(1, `${JSON.stringify({ baseUrl })}\n`);

const { snapshots } = sandbox.control;
if (action === 'save') await snapshots.save('s', { replace: true });
if (action === 'restore') await snapshots.restore('s');
if (action === 'checkpoint') {
  const { shops } = await sandbox.control.credentials();
  for (let number = 1; ; number += 1) {
    const name = String(number).padStart(5, '0').repeat(400);
    await core.write((work) => work.records('customer_group', shops[0]?.id ?? '').insert({ name }));
    if (number % 20 !== 0) continue;
    writeSync(1, `written ${number}\n`);
    await core.store.exclusively((sqlite) => void sqlite.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]));
  }
}
