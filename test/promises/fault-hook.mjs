/*
 * Loaded into the real program (`node --import`): counts the points at which something becomes durable, leaves the machine or
 * is seen by somebody, tells each in the file FAULT_LOG, and at the point of the number FAULT_AT sends FAULT_SIGNAL to the
 * process itself, or so many milliseconds later (FAULT_DELAY_MS), in the midst of whatever it does then. While the file FAULT_DISK exists every write below FAULT_BELOW fails with the code that it holds.
 */
import fs, { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import Database from 'better-sqlite3';

const {
  FAULT_LOG,
  FAULT_AT,
  FAULT_SIGNAL = 'SIGKILL',
  FAULT_DELAY_MS,
  FAULT_DISK,
  FAULT_BELOW = '/nowhere',
} = process.env;
const {
  setTimeout,
  process: { kill, pid },
} = globalThis;
let passed = 0;
let busy = false;

function point(name) {
  if (busy || FAULT_LOG === undefined) return;
  busy = true;
  appendFileSync(FAULT_LOG, `${name}\n`);
  busy = false;
  if (String(passed++) !== FAULT_AT) return;
  if (FAULT_DELAY_MS === undefined) kill(pid, FAULT_SIGNAL);
  else setTimeout(() => kill(pid, FAULT_SIGNAL), Number(FAULT_DELAY_MS)).unref();
}

function checkDisk(name, path) {
  if (FAULT_DISK === undefined || !String(path).startsWith(FAULT_BELOW) || !existsSync(FAULT_DISK)) return;
  const code = readFileSync(FAULT_DISK, 'utf8').trim();
  throw Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name, path });
}

/** Only what lies in the state directory counts: the rest of a start is not part of any promise. */
const isOurs = (path) => String(path).startsWith(FAULT_BELOW);
const isForWriting = (flags) => flags !== undefined && flags !== 'r' && flags !== fs.constants.O_RDONLY;
const label = (path) =>
  String(path)
    .slice(FAULT_BELOW.length)
    .replaceAll(/[0-9a-f]{10,}/g, '#');

function around(target, name, { counts = () => true, fails = false } = {}) {
  const original = target[name];
  target[name] = function patched(...values) {
    if (!isOurs(values[0]) || !counts(...values)) return original.apply(this, values);
    point(`before ${name} ${label(values[0])}`);
    if (fails) {
      try {
        checkDisk(name, values[0]);
      } catch (error) {
        if (target === fs) throw error;
        return Promise.reject(error);
      }
    }
    const result = original.apply(this, values);
    if (typeof result?.then === 'function') {
      return result.then((value) => {
        point(`after ${name} ${label(values[0])}`);
        return value;
      });
    }
    point(`after ${name} ${label(values[0])}`);
    return result;
  };
}

for (const target of [fs, fs.promises]) {
  const suffix = target === fs ? 'Sync' : '';
  around(target, `open${suffix}`, { counts: (_, flags) => isForWriting(flags), fails: true });
  around(target, `rename${suffix}`, { fails: true });
  around(target, `unlink${suffix}`);
}
around(fs, 'linkSync', { fails: true });
around(fs, 'writeFileSync', { fails: true });

/** Which file a descriptor is, for what is synchronised by its descriptor alone. */
const paths = new Map();
const openSync = fs.openSync;
fs.openSync = (...values) => {
  const descriptor = openSync(...values);
  paths.set(descriptor, values[0]);
  return descriptor;
};
const fsyncSync = fs.fsyncSync;
fs.fsyncSync = (descriptor) => {
  fsyncSync(descriptor);
  if (isOurs(paths.get(descriptor))) point(`synchronised ${label(paths.get(descriptor))}`);
};
const open = fs.promises.open;
fs.promises.open = async (...values) => {
  const handle = await open(...values);
  const sync = handle.sync.bind(handle);
  handle.sync = async () => {
    await sync();
    if (isOurs(values[0])) point(`synchronised ${label(values[0])}`);
  };
  return handle;
};

const socketWrite = net.Socket.prototype.write;
net.Socket.prototype.write = function write(...values) {
  const isService = this.remotePort !== undefined;
  const name = isService ? 'request' : this.fd === 1 ? 'stdout' : this.fd === 2 ? 'stderr' : undefined;
  if (name !== undefined) point(`before ${name}`);
  const result = socketWrite.apply(this, values);
  if (name !== undefined) point(`after ${name}`);
  return result;
};
const socketPush = net.Socket.prototype.push;
net.Socket.prototype.push = function push(...values) {
  if (this.remotePort !== undefined) point('answer');
  return socketPush.apply(this, values);
};
/** What the connections of the driver have in common that the program has here. */
function driverPrototype() {
  try {
    if (Number.parseInt(process.versions.node, 10) >= 24) throw new Error('the program does not use it here');
    new Database(':memory:').close();
    return Database.prototype;
  } catch {
    // Node warns that its SQLite is experimental, which the program does not show.
    const { emitWarning } = process;
    process.emitWarning = () => {};
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    process.emitWarning = emitWarning;
    return DatabaseSync.prototype;
  }
}

/** What becomes durable in the ledger: its commits are points, and fail while the disk is broken. */
const writes = /^\s*(?:commit|insert into intents)\b/i;
const failures = { ENOSPC: ['SQLITE_FULL', 13], EROFS: ['SQLITE_READONLY', 8] };
const driver = driverPrototype();
const { prepare } = driver;
driver.prepare = function patched(sql) {
  const statement = prepare.call(this, sql);
  const path = this.name ?? this.location();
  if (!isOurs(path) || !writes.test(sql)) return statement;
  const name = sql.trim().split(/\s+/).slice(0, 2).join(' ');
  for (const does of ['run', 'all']) {
    const original = statement[does];
    statement[does] = (...values) => {
      point(`before ${name}`);
      try {
        checkDisk(name, path);
      } catch (error) {
        const [code, errcode] = failures[error.code] ?? ['SQLITE_IOERR', 10];
        throw Object.assign(error, { code, errcode });
      }
      const result = original.apply(statement, values);
      point(`after ${name}`);
      return result;
    };
  }
  return statement;
};
process.on('exit', () => point('exit'));
syncBuiltinESMExports();
