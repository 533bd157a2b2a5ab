// The main workflow on a fresh machine: `npm run quickstart` runs these commands against a fresh, temporary sandbox.
// Each command is shown with its real output; the script succeeds only if every step did what it says.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'shopctl.js');
const inside = 'QUICKSTART_INSIDE_SANDBOX';
/** What is tried: the checkout, or an executable that QUICKSTART_PROGRAM names. */
const [program, ...before] = process.env.QUICKSTART_PROGRAM
  ? [process.env.QUICKSTART_PROGRAM]
  : [process.execPath, bin];
const directory = join(tmpdir(), `shopctl-quickstart-${process.pid}`);

function fail(message) {
  throw new Error(`quickstart: ${message}`);
}

function quoted(word) {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word}'`;
}

/** Runs one command, shows it, and checks its exit code. */
function shopctl(words, { exit = 0, into } = {}) {
  console.log(`\n$ shopctl ${words.map(quoted).join(' ')}${into === undefined ? '' : ` > ${into}`}`);
  const { status, stdout, stderr } = spawnSync(program, [...before, ...words], { cwd: directory, encoding: 'utf8' });
  if (into === undefined) process.stdout.write(stdout);
  else writeFileSync(join(directory, into), stdout);
  process.stdout.write(stderr);
  if (status !== 0) console.log(`(exit ${status})`);
  if (status !== exit) fail(`expected exit ${exit}`);
  return stdout;
}

/** Runs one command for its JSON, without showing it. */
function json(words) {
  const { status, stdout, stderr } = spawnSync(program, [...before, ...words, '--json'], {
    cwd: directory,
    encoding: 'utf8',
  });
  if (status !== 0) fail(`shopctl ${words.join(' ')} failed: ${stderr}`);
  return JSON.parse(stdout);
}

function say(text) {
  console.log(`\n# ${text}`);
}

function steps() {
  const [shop] = json(['sandbox', 'credentials']).shops;

  say('A partner asks for a shop; the shop has to sign in (exit 8: pending).');
  const pending = JSON.parse(shopctl(['auth', 'login', '--no-input', '--json'], { exit: 8 }));
  say("The owner of the shop signs in and allows it. Here the sandbox does it in the owner's place.");
  shopctl(['sandbox', 'sign-in', pending.auth_token, '--shop', shop.id]);
  say('The partner completes the sign-in and keeps the key of the shop.');
  shopctl(['auth', 'login', '--shop-id', shop.id]);

  say('What do the carriers ask for a parcel from Da Nang to Ha Noi?');
  shopctl(['quote', '--input', 'examples/quote.json']);

  say('Complete the sums and weights of an order.');
  shopctl(['totals', 'fill', 'examples/order.json'], { into: 'order.json' });
  say('Choose the cheapest service for this very order.');
  shopctl(['quote', '--order', 'order.json']);
  const cheapest = json(['quote', '--order', 'order.json']).find(({ marks }) => marks.includes('cheapest'));

  say('Ship it.');
  const create = [
    ...['shipping', 'create', '--input', 'order.json'],
    ...['--shipping.carrier', cheapest.carrier, '--shipping.shipping-service-code', cheapest.code],
    ...['--shipping.shipping-service-fee', String(cheapest.fee)],
  ];
  const id = shopctl([...create, '-o', 'name']).trim();
  if (!/^\d{19}$/.test(id)) fail(`the id of the order is ${JSON.stringify(id)}`);
  say('Read it back.');
  shopctl(['shipping', 'get', id]);

  say('Send the same order again: the same order is printed, and nothing is sent.');
  shopctl(create);
  const orders = json(['orders', 'list', '--all', '--profile', 'sandbox-shop']);
  const same = orders.filter(({ external_id }) => external_id === 'WEB-2026-000117');
  if (same.length !== 1 || same[0].id !== id) fail(`there are ${same.length} such orders`);

  say('Cancel it.');
  shopctl([
    'shipping',
    'cancel',
    id,
    '--cancel-reason',
    'only a try',
    '--yes',
    '--fields',
    'order.id,order.status,order.cancel_reason,fulfillments.shipping_state',
  ]);
  if (json(['shipping', 'get', id]).order.status !== 'N') fail('the order is not cancelled');
  batch();
  console.log('\nquickstart: everything above happened, in a sandbox that is gone now. Next: shopctl sandbox start');
}

/** A sheet with that many orders, without external ids. */
function sheetOf(count) {
  const [header, first] = readFileSync(join(root, 'examples', 'orders.csv'), 'utf8').split('\n');
  const rows = Array.from({ length: count }, (_, index) =>
    first.replace('SO-1001', '').replace('0901234567', `09${20_000_000 + index}`),
  );
  return `${[header, ...rows].join('\n')}\n`;
}

/** A sheet of twenty orders; every third response is lost. */
function batch() {
  const rows = 20;
  const profile = ['--profile', 'sandbox-shop'];
  say('Ship a spreadsheet: twenty orders, and every third answer of the service is lost after it did its work.');
  writeFileSync(join(directory, 'orders.csv'), sheetOf(rows));
  const create = 'shop.Shipping/CreateAndConfirmOrder';
  json(['sandbox', 'faults', 'add', create, '--every', '3', '--do', 'drop-after-commit']);
  const before = json(['orders', 'list', '--all', ...profile]).length;
  shopctl(['batch', 'run', 'orders.csv', '--pick', 'cheapest', '--yes', ...profile]);
  const made = json(['orders', 'list', '--all', ...profile]).length - before;
  if (made !== rows) fail(`${made} orders were made of ${rows} rows`);
  say(`The service has ${made} more orders. Run the same file again: nothing is sent.`);
  shopctl(['batch', 'run', 'orders.csv', '--yes', ...profile]);
  if (json(['orders', 'list', '--all', ...profile]).length - before !== rows) fail('the second run sent something');
}

/** Runs this script again, inside its own sandbox. */
function enter() {
  const words = [...before, 'sandbox', 'exec', '--', process.execPath, fileURLToPath(import.meta.url)];
  const { status } = spawnSync(program, words, { stdio: 'inherit', env: { ...process.env, [inside]: '1' } });
  process.exitCode = status ?? 1;
}

if (process.env[inside] === undefined) enter();
else {
  cpSync(join(root, 'examples'), join(directory, 'examples'), { recursive: true });
  try {
    steps();
  } catch (error) {
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
