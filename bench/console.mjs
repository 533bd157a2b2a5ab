// The console in Chromium: how soon a list is drawn after its address is opened, how soon a filter answers, whether twenty
// tabs load, and what a batch loses while it is watched.
//
//   npm run bench:console [-- --orders 100000] [--changes 1000000] [--rows 3000] [--runs 5] [--only lists,tabs,batch] [--apart]
//
// A sandbox of its own has the history of orders; the changes are written straight into a workspace, as a listener would
// leave them. The console is the sandbox's, or with --apart `shopctl console`, a process of its own as for a live service. A list is drawn when its last row is in the document and a frame was painted after it: measured in the page,
// from the beginning of its navigation. Medians; the first run of each is not counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'shopctl.js');
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    changes: { type: 'string', default: '1000000' },
    rows: { type: 'string', default: '3000' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: 'lists,tabs,batch' },
    data: { type: 'string' },
    apart: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const only = new Set(values.only.split(','));
const directory = mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
const workspace = join(directory, 'workspace.sqlite');
const env = {
  ...process.env,
  SHOPCTL_CONFIG_DIR: join(directory, 'config'),
  SHOPCTL_WORKSPACE: workspace,
  NO_COLOR: '1',
};
const print = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const inMs = (number) => `${Math.round(number)} ms`;

/** Runs a command to its end; returns its output. */
async function command(words, cwd = root) {
  const child = spawn(process.execPath, [bin, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const [code] = await once(child, 'close');
  return { said, code };
}

/** Starts a command that runs until a signal; returns it with its first line. */
async function start(words) {
  const child = spawn(process.execPath, [bin, ...words], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"ready"')) return { child, ready: JSON.parse(line) };
  }
  throw new Error(`${words[0]} did not start`);
}

/** The sandbox, and the address of a console of it. */
async function startConsole(seed) {
  const store = values.data === undefined ? ['--ephemeral'] : ['--data', values.data];
  const words = ['sandbox', 'start', '--port', '0', '--seed', seed, '--json', ...store];
  const sandbox = await start([...words, ...(values.apart ? ['--no-console'] : [])]);
  if (!values.apart) return { url: sandbox.ready.console_url, children: [sandbox.child] };
  const console = await start(['console', '--port', '0', '--profile', 'sandbox-shop', '--json']);
  return { url: console.ready.url, children: [console.child, sandbox.child] };
}

/** The workspace of the shop's profile, with so many changes of one day after another. */
async function keepChanges(count) {
  // A workspace of its own, which the console uses as well; a first look creates its tables.
  await command(['events', 'list', '--profile', 'sandbox-shop']);
  const database = new Database(workspace);
  const insert = database.prepare(
    `INSERT INTO events (hook, received_at, entity, change_type, record_id, shop_id, time, content, occurrence)
    VALUES ('default', ?, ?, 'update', ?, '1', ?, ?, 1)`,
  );
  const whole = database.prepare('INSERT INTO event_contents (seq, change) VALUES (?, ?)');
  const entities = ['order', 'fulfillment', 'customer', 'product'];
  database.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      const moment = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
      const entity = entities[index % entities.length];
      const id = String(1_000_000_000_000_000_000n + BigInt(index % 50_000));
      const { lastInsertRowid } = insert.run(moment, entity, id, moment, `content-${index}`);
      whole.run(lastInsertRowid, JSON.stringify({ entity, time: moment, change_type: 'update', latest: { id } }));
    }
  })();
  database.close();
}

const painted = `new Promise((done) => {
  const look = () => {
    const isThere = document.querySelector('main tbody tr') !== null && document.querySelector('[role=status]') === null;
    if (!isThere) return requestAnimationFrame(look);
    requestAnimationFrame(() => done(performance.now()));
  };
  look();
})`;

/** How long a list takes from the beginning of its navigation until it is painted. */
async function listed(page, address) {
  const times = [];
  for (let run = 0; run <= runs; run += 1) {
    await page.goto('about:blank');
    await page.goto(address, { waitUntil: 'commit' });
    times.push(await page.evaluate(painted));
  }
  return median(times.slice(1));
}

/** Rows that fill the screen of the bench: the page shows them while it looks for the others. */
const SCREENFUL = 25;

/** The page's time at which a filter was chosen, or typed to its end: what drives the browser takes some 40 ms to do so. */
const noteBeginning = `{
  window.began = undefined;
  const note = (event) => {
    if (event.type === 'change' || event.key === 'Enter') window.began ??= event.timeStamp;
  };
  for (const kind of ['keydown', 'change']) addEventListener(kind, note, { capture: true });
}`;

/** How long a filter takes until a screenful of the filtered list is painted, and until the whole of it is. */
async function filtered(page, address, label, value) {
  const [times, screenfuls] = [[], []];
  for (let run = 0; run <= runs; run += 1) {
    await page.goto(address);
    await page.evaluate(painted);
    const control = page.getByLabel(label).first();
    await control.waitFor({ state: 'attached' });
    if (!(await control.isVisible())) await page.locator('.filters summary').first().click();
    const before = await page.locator('.command code').first().textContent();
    await page.evaluate(noteBeginning);
    if ((await control.evaluate((node) => node.tagName)) === 'SELECT') await control.selectOption(value);
    else {
      await control.fill(value);
      await control.press('Enter');
    }
    const drawn = await page.evaluate(
      `new Promise((done) => {
        let screenful;
        const look = () => {
          const command = document.querySelector('.command code')?.textContent;
          const isNew = command !== undefined && command !== ${JSON.stringify(before)};
          const isWhole = document.querySelector('[role=status]') === null;
          const isFull = isNew && (isWhole || document.querySelectorAll('main tbody tr').length >= ${SCREENFUL});
          if (isFull && screenful === undefined) requestAnimationFrame(() => (screenful = performance.now() - window.began));
          if (!isNew || !isWhole) return requestAnimationFrame(look);
          requestAnimationFrame(() => done([screenful, performance.now() - window.began]));
        };
        look();
      })`,
    );
    screenfuls.push(drawn[0]);
    times.push(drawn[1]);
  }
  const [screenful, whole] = [screenfuls, times].map((each) => inMs(median(each.slice(1))));
  const looked = await page.locator('.notice').allTextContents();
  return `a screenful ${screenful}, whole ${whole}${looked.map((text) => `; ${text}`).join('')}`;
}

/** A sheet of orders, of which each has its own name and day. */
function sheet(rows, mark) {
  const head =
    'external_id,shipping_address.full_name,shipping_address.phone,shipping_address.province,shipping_address.district,shipping_address.ward,shipping_address.address1,lines.product_name,lines.quantity,lines.retail_price,payment_method,shipping.gross_weight,shipping.try_on,shipping.pickup_address.full_name,shipping.pickup_address.phone,shipping.pickup_address.province,shipping.pickup_address.district,shipping.pickup_address.ward,shipping.pickup_address.address1';
  const line = (_, at) =>
    `${mark}-${at},Nguyễn Thị Lan,09${String(10_000_000 + at)},Hà Nội,Cầu Giấy,Dịch Vọng,${at} ngõ 5,Áo khoác,1,${450_000 + at},cod,600,open,Kho Liên Chiểu,0905123456,Đà Nẵng,Liên Chiểu,Hòa Khánh Nam,Lô 7 KCN`;
  const file = join(directory, `${mark}.csv`);
  writeFileSync(file, `${[head, ...Array.from({ length: rows }, line)].join('\n')}\n`);
  return file;
}

/** How long a batch takes from its first line until it ends, in seconds. */
async function batch(mark) {
  const file = sheet(Number(values.rows), mark);
  const began = performance.now();
  const { code, said } = await command([
    'batch',
    'run',
    file,
    '--yes',
    '--profile',
    'sandbox-shop',
    '--concurrency',
    '8',
  ]);
  if (code !== 0) throw new Error(said);
  return (performance.now() - began) / 1000;
}

const seed = only.has('lists') || only.has('tabs') ? `history:${values.orders}` : 'demo';
const { children, url } = await startConsole(seed);
const origin = new URL(url).origin;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (only.has('lists')) {
    print(`orders, ${values.orders} of them: first list ${inMs(await listed(page, `${origin}/orders`))}`);
    print(`orders, in another order: ${await filtered(page, `${origin}/orders`, 'Sort', 'created_at')}`);
    print(`orders, of one status: ${await filtered(page, `${origin}/orders`, 'Status', 'P')}`);
    await keepChanges(Number(values.changes));
    print(`changes, ${values.changes} of them: first list ${inMs(await listed(page, `${origin}/events`))}`);
    print(`changes, of one kind: ${await filtered(page, `${origin}/events`, 'Entity', 'customer')}`);
  }
  if (only.has('tabs')) {
    const began = performance.now();
    const tabs = await Promise.all(Array.from({ length: 20 }, () => context.newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(`${origin}/orders`)));
    await Promise.all(tabs.map((tab) => tab.getByRole('table').waitFor()));
    print(`20 tabs: all drawn after ${inMs(performance.now() - began)}`);
    await Promise.all(tabs.map((tab) => tab.close()));
  }
  if (only.has('batch')) {
    await batch('warm');
    const [alone, open, opened, shown] = [[], [], [], []];
    const rowOf = (mark) => page.getByRole('row').filter({ hasText: mark });
    for (let round = 0; round < Math.min(runs, 7); round += 1) {
      await page.goto('about:blank');
      alone.push(await batch(`alone${round}`));
      // Open all the time, with the batches before it.
      await page.goto(`${origin}/batch`);
      await page.evaluate(painted);
      open.push(await batch(`open${round}`));
      // Opened while it runs: the page is loaded twice.
      const running = batch(`opened${round}`);
      await page.goto(`${origin}/batch`);
      await rowOf(`opened${round}`)
        .or(page.getByRole('button', { name: '1 new' }))
        .first()
        .waitFor();
      await page.goto(`${origin}/batch`);
      await rowOf(`opened${round}`).getByRole('link').click();
      await page.getByRole('progressbar').waitFor();
      opened.push(await running);
      // Open before it begins, and then shown with its progress and its rows.
      await page.goto(`${origin}/batch`);
      await page.evaluate(painted);
      const other = batch(`shown${round}`);
      await page.getByRole('button', { name: '1 new' }).click();
      await rowOf(`shown${round}`).getByRole('link').click();
      await page.getByRole('progressbar').waitFor();
      shown.push(await other);
    }
    const beside = (times) => `${median(times).toFixed(1)} s (× ${(median(times) / median(alone)).toFixed(3)})`;
    print(
      `a batch of ${values.rows} rows: ${median(alone).toFixed(1)} s alone, with the console open ${beside(open)}, and then shown in it ${beside(shown)}, with it opened meanwhile ${beside(opened)}`,
    );
  }
} finally {
  await browser.close();
  for (const child of children) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(directory, { recursive: true, force: true });
}
