// Compiles a built program ahead: `node scripts/compile-ahead.mjs DIST [PLACE]` runs everyday commands of it against its own
// sandbox, in this process, and writes what V8 compiled meanwhile beside its files, for this version of Node. A start that
// finds it compiles nothing (docs/decisions/014). Without SQLite there is no sandbox: then less is compiled.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import v8 from 'node:v8';
import { Script } from 'node:vm';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2]);
/** Where the program will lie: V8 tells the name under which code was compiled in every stack. */
const place = resolve(process.argv[3] ?? dist);
const home = mkdtempSync(join(tmpdir(), 'shopctl-compiled-'));
// Nothing of whoever builds: neither settings and keys, nor a proxy on the way to the sandbox.
for (const name of Object.keys(process.env)) if (/^(SHOPCTL|XDG)_|_proxy$/i.test(name)) delete process.env[name];
Object.assign(process.env, { HOME: home, SHOPCTL_CONFIG_DIR: home, SHOPCTL_STATE_DIR: home });

/** The loaded files by path: what `platform/process/code-cache.ts` does, without code. */
const opened = new Map();

function open(path) {
  const before = opened.get(path);
  if (before !== undefined) return before.module.exports;
  const script = new Script(readFileSync(path, 'latin1'), { filename: join(place, relative(dist, path)) });
  const module = { exports: {}, url: pathToFileURL(path).href };
  opened.set(path, { script, module });
  const require = (name) => (name.startsWith('./') ? open(join(dist, name)) : createRequire(path)(name));
  script.runInThisContext()(module.exports, require, module, load);
  return module.exports;
}

async function load(name) {
  if (name.startsWith('node:')) return process.getBuiltinModule(name);
  return name.startsWith('./') ? open(join(dist, name)) : import(name);
}

/** Writes what was compiled of the loaded files; V8 takes it only where its flags are those of this moment. */
function writeCode(kind = '') {
  for (const [path, { script }] of opened) {
    const code = join(dirname(path), 'code', kind);
    mkdirSync(code, { recursive: true });
    writeFileSync(join(code, `${basename(path)}-${process.version}-${process.arch}`), script.createCachedData());
  }
}

// As `src/start.ts` does: help is answered under Node's own flags, before those of the program.
const { writtenHelp } = open(join(dist, 'written-answer.cjs'));
const readGroup = (name) => JSON.parse(readFileSync(join(dist, 'commands', `${name}.json`), 'utf8'));
for (const group of ['orders', 'batch']) await writtenHelp([group, '--help'], readGroup);
writeCode();
opened.clear();
/** Runs one command line to its end, whatever that is. */
async function run(words) {
  process.argv = [process.execPath, 'shopctl', ...words];
  await open(join(dist, 'process.cjs')).runProcess();
  process.exitCode = 0;
}

/** Whether the sandbox has saved its profiles, which it does when it is ready. */
function isReady() {
  try {
    return readFileSync(join(home, 'config.json'), 'utf8').includes('sandbox-shop');
  } catch {
    return false;
  }
}

const example = (name) => join(root, 'examples', name);
/** A command of the local ones, with the file that it reads. */
const complete = ([group, word]) => [group, word, ...(group === 'totals' ? [example('order.json')] : [])];
const { localCommands } = createRequire(import.meta.url)(join(dist, 'start.cjs'));
const alone = localCommands.map(complete);
const withService = [
  ['quote', '--input', example('quote.json')],
  ['ship', '--input', example('order-complete.json'), '--pick', 'cheapest', '--yes'],
  ['orders', 'list'],
  ['orders', 'list', '--all', '-o', 'jsonl'],
  ['customers', 'list', '-o', 'json'],
  ['products', 'list', '-o', 'name'],
  ['inventory', 'list'],
  ['fulfillments', 'list'],
  ['webhooks', 'list'],
  ['batch', 'run', example('orders.csv'), '--pick', 'cheapest', '--yes'],
  ['batch', 'list'],
  ['batch', 'rows'],
  ['ledger', 'list'],
  ['auth', 'status'],
  ['events', 'list'],
  ['mirror', 'sync'],
  ['mirror', 'sql', 'SELECT count(*) FROM orders'],
  ['report', 'carriers'],
  ['day'],
];

// A local command is run under Node's own flags, too.
for (const words of alone) await run(words);
writeCode('local');
opened.clear();
if (Number.parseInt(process.versions.node, 10) < 22) v8.setFlagsFromString('--liftoff-only');
for (const words of alone) await run(words);
const ended = run(['sandbox', 'start', '--ephemeral', '--port', '0', '--no-console']);
const hasFailed = ended.then(() => true);
while (!isReady() && !(await Promise.race([hasFailed, wait(50)])));
if (isReady()) for (const words of withService) await run([...words, '--profile', 'sandbox-shop']);
// An agent's start, without what it executes of the main file: other commands would read that too.
open(join(dist, 'packages/mcp.cjs'));
writeCode();
process.emit('SIGTERM');
await ended;
rmSync(home, { recursive: true, force: true });
process.exit(0);
