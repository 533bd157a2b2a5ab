import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LANGUAGE } from '../../src/console/wire.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';

/** Debian's chromium; CI installs it. */
const executablePath = '/usr/bin/chromium';

/** Where the browser is missing these tests are passed over, except in CI, which installs it. */
const isMissing = !existsSync(executablePath) && !process.env.CI;
const inBrowser = describe.skipIf(isMissing);

let browser: Browser;
let program: BuiltProgram;
let origin: string;
let context: BrowserContext;
let page: Page;
const ends: (() => Promise<void>)[] = [];
/** What the page complained about since it was asked: errors, refused content, requests to elsewhere. */
let complaints: string[] = [];

const settings = () => ({
  ...process.env,
  HOME: program.home,
  SHOPCTL_CONFIG_DIR: `${program.home}/config`,
  XDG_STATE_HOME: program.home,
});

/** Runs a command to its end. */
function commandLine(words: readonly string[]): Promise<string> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [`${program.bin}/shopctl.js`, ...words], { env: settings() });
    const said: string[] = [];
    child.stdout.on('data', (data: Buffer) => said.push(data.toString()));
    child.once('exit', () => done(said.join('')));
  });
}

/** Starts the program and waits for its first line, which says that it is ready. */
async function started(words: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const child = spawn(process.execPath, [`${program.bin}/shopctl.js`, ...words, '--json'], { env: settings() });
  ends.push(
    () =>
      new Promise((ended) => {
        child.once('exit', () => ended()).kill('SIGTERM');
      }),
  );
  const said: string[] = [];
  return new Promise((ready, failed) => {
    child.stderr.on('data', (data: Buffer) => said.push(data.toString()));
    child.stdout.once('data', (data: Buffer) => ready(JSON.parse(data.toString())));
    child.once('exit', () => failed(new Error(said.join(''))));
  });
}

let address: string;

beforeAll(async () => {
  if (isMissing) return;
  program = await buildProgram();
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  const [launched, { console_url: url = '' }] = await Promise.all([
    chromium.launch({ executablePath, args }),
    started(['sandbox', 'start', '--port', '0', '--ephemeral']),
  ]);
  browser = launched;
  address = url;
  origin = new URL(url).origin;
  await commandLine(['mirror', 'sync', '--profile', 'sandbox-shop']);
  context = await browser.newContext({ viewport: desk });
  // No test is about speed: a busy machine takes long.
  context.setDefaultTimeout(90_000);
  page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`left for ${request.url()}`);
  });
});
afterEach(() => {
  const said = complaints;
  complaints = [];
  expect(said).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  for (const end of ends.reverse()) await end();
  program?.remove();
});

const desk = { width: 1280, height: 900 };

const phone = { width: 375, height: 700 };

/**
 * What axe finds on the page, as text; of a long table only its first rows, which are made as the others are. The page's
 * policy does not concern what the debugger evaluates.
 */
async function violations(rules = ''): Promise<unknown> {
  await page.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  // What follows a new width, such as whether a table scrolls, is there with the next frame.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const what = `{ exclude: ['tbody tr:nth-child(n+4)'] }`;
  return page.evaluate(
    `axe.run(${what}, { resultTypes: ['violations'] ${rules} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
  );
}

/** Whether nothing stands out of the viewport to the right. */
const fits = () => page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

/** Opens an action of the screen. */
async function begin(name: string): Promise<void> {
  await page.locator('summary').filter({ hasText: 'Actions' }).click();
  await page.getByRole('button', { name }).click();
}

/** The button that does what a dry run has shown, whatever it is called. */
const doing = '.act [aria-live] button.first';

/** Sends what is in a form: a dry run, its confirmation, and yes to whatever is asked. */
async function confirm(): Promise<void> {
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.locator(doing).click();
  const asked = page.getByRole('button', { name: 'Yes, do it' });
  const done = page.getByText('Done.');
  const question = page.locator('.failure strong');
  for (await asked.or(done).waitFor(); !(await done.isVisible()); ) {
    const text = (await question.textContent()) ?? '';
    await asked.click();
    await done.or(question.filter({ hasNotText: text })).waitFor();
  }
}

/** The text of a file that a button downloads. */
async function downloaded(button: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).first().click(),
  ]);
  return readFile((await file.path()) ?? '', 'utf8');
}

inBrowser('the console', () => {
  it('opens with its address once, which then has no secret any more', async () => {
    await page.goto(address);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(page.url()).toBe(`${origin}/`);
    const stranger = await browser.newContext();
    onTestFinished(() => stranger.close());
    const again = await (await stranger.newPage()).goto(address);
    expect(again?.status()).toBe(403);
  });

  it('lists orders as the command line does: sorted, with chosen columns, as a file, and with the command', async () => {
    await page.goto(`${origin}/orders`);
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(10);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(
      expect.arrayContaining(['code', 'recipient', 'amount', 'cash', 'status']),
    );
    const command = page.locator('.command code').first();
    expect(await command.textContent()).toBe('shopctl orders list --profile sandbox-shop');
    await page.goto(`${origin}/orders?columns=code,created_at&sort=created_at`);
    await page.getByRole('columnheader', { name: 'created' }).waitFor();
    const oldest = await page.locator('tbody tr').first().textContent();
    await page.getByRole('button', { name: /^created/ }).click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await expect
      .poll(() => command.textContent())
      .toBe("shopctl orders list --sort=-created_at --fields 'code,created_at' --profile sandbox-shop");
    expect(await page.locator('tbody tr').first().textContent()).not.toBe(oldest);
    const written = await downloaded('csv');
    const reported = await commandLine([
      'orders',
      'list',
      '--all',
      '--fields',
      'code',
      '-o',
      'csv',
      '--profile',
      'sandbox-shop',
    ]);
    expect(written.split('\r\n').map((line) => line.split(',')[0])).toEqual(reported.split('\r\n'));
    expect(await downloaded('csv')).toBe(written);
  });

  it('changes a record by mouse: a dry run, then what is sent, then how it is; and tells its time line', async () => {
    await page.goto(`${origin}/customers`);
    await begin('Create a customer');
    await page
      .getByText(/^(?:More fields|Fields)/)
      .first()
      .click();
    await page.getByLabel('Full name').fill('<b>Lê</b> Hà');
    await page.getByLabel('Phone required').fill('0909000123');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('heading', { name: 'This will be sent' }).waitFor();
    await page.getByRole('button', { name: 'Create the customer' }).click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: '1 new' }).click();
    const row = page.getByRole('row').filter({ hasText: '<b>Lê</b> Hà' });
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Time line' }).waitFor();
    const sent = page.getByRole('listitem').filter({ hasText: 'CreateCustomer' }).first();
    await sent.locator('summary').click();
    await sent.getByText('curl --request POST').waitFor();
    await sent.getByText('shopctl customers create').waitFor();
    expect(await page.locator('main b').count()).toBe(0);
  });

  it.each(['mouse', 'keyboard'] as const)('runs every kind of action by %s alone', async (hand) => {
    /** Presses a control; by keyboard it has to be one of the stops of the tab key, and show that it has the focus. */
    const press = async (at: Locator) => {
      if (hand === 'mouse') return at.click();
      // What has just appeared on the page may take the focus once more.
      const focused = async () => {
        await at.focus();
        return at.evaluate((node) => [node.matches(':focus-visible'), Object(node).tabIndex]);
      };
      await expect.poll(focused).toEqual([true, 0]);
      const isBox = (await at.getAttribute('type')) === 'checkbox';
      await page.keyboard.press(isBox ? 'Space' : 'Enter');
    };
    const type = async (label: string, text: string) => {
      const field = page.getByLabel(label, { exact: true });
      await (hand === 'mouse' ? field.click() : field.focus());
      await page.keyboard.type(text);
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
    const unfold = (text: RegExp) => press(page.locator('main summary').filter({ hasText: text }).first());
    const start = async (screen: string, action: string) => {
      await press(page.locator('.screens a').filter({ hasText: screen }).first());
      await page.getByRole('heading', { name: screen, level: 1, exact: true }).waitFor();
      await unfold(/^Actions/);
      await press(button(action));
    };
    const finish = async () => {
      await press(button('Dry run'));
      await press(page.locator(doing));
      const yes = button('Yes, do it');
      await yes.or(page.getByText('Done.')).waitFor();
      if (await yes.isVisible()) await press(yes);
      await page.getByText('Done.').waitFor();
      await press(button('Close'));
    };
    // A list: another order, other columns, a file of it.
    await page.goto(`${origin}/orders`);
    await press(page.getByRole('button', { name: /^created/ }));
    await page.locator('th[aria-sort=descending], th[aria-sort=ascending]').first().waitFor();
    await unfold(/^Columns/);
    await press(page.getByTitle('updated_at').getByRole('checkbox'));
    await page.getByRole('columnheader', { name: /updated/ }).waitFor();
    await Promise.all([page.waitForEvent('download'), press(button('csv'))]);
    // A create, a change and a removal of what was created; each with its questions.
    const name = `An ${hand}`;
    await start('Customers', 'Create a customer');
    await type('Full name required', name);
    await type('Phone required', hand === 'mouse' ? '0909000777' : '0909000778');
    await finish();
    await press(button(/new$/));
    await press(page.getByRole('row').filter({ hasText: name }).getByRole('link'));
    await press(button('Update a customer'));
    await type('Note', 'tall');
    await finish();
    await press(button('Delete a customer'));
    await finish();
    // What is only on this machine: a snapshot, whose row has its own action.
    await start('Sandbox', 'Save the current data as a snapshot');
    await type('Name required', hand);
    await finish();
    await press(page.locator('.tabs a').filter({ hasText: 'snapshot list' }));
    await press(page.getByRole('row').filter({ hasText: hand }).getByRole('button', { name: 'snapshot remove' }));
    await finish();
    // One of a few things, with what else can be asked about it; and a sheet that is sent.
    await press(page.locator('.screens a').filter({ hasText: 'Reports' }));
    await press(page.locator('.tabs a').filter({ hasText: 'carriers' }));
    await unfold(/^explain/);
    await page.getByText('definition', { exact: true }).waitFor();
    await start('Batches', 'Show what a batch would do with each row of a sheet, and what it costs');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      press(page.getByLabel('File', { exact: true })),
    ]);
    await chooser.setFiles('examples/orders.csv');
    await page.getByText('Working').waitFor({ state: 'detached' });
    await press(button('Show'));
    await page.getByText('shopctl batch plan orders.csv').waitFor();
  });

  it('is used by keyboard alone: to a row, into it, through its form, and back', async () => {
    await page.goto(`${origin}/orders`);
    await page.getByRole('table').waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Match');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const id = await page.evaluate('document.activeElement.textContent');
    expect(id).toBe(await page.locator('tbody tr').nth(1).locator('a').textContent());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Orders: ${id}` }).waitFor();
    await page.getByRole('button', { name: 'Cancel an order and its shipments' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Cancel reason required').focus();
    await page.keyboard.type('a mistake');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This will be sent' }).waitFor();
    await page.getByText(/are you sure/).waitFor();
    await page.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
  });

  it('has the search of a list above its filters on a phone, which fold again after each choice', async () => {
    const phone = await context.newPage();
    onTestFinished(() => phone.close());
    await phone.setViewportSize({ width: 375, height: 812 });
    await phone.goto(`${origin}/orders`);
    const [match, status] = [phone.getByLabel('Match'), phone.getByLabel('Status')];
    await match.waitFor();
    expect(await status.isVisible()).toBe(false);
    const filters = phone.locator('form.filters summary');
    await filters.click();
    await status.fill('cancelled');
    await status.press('Enter');
    await phone.getByText(/^Filters \(\d+, 1 set\)$/).waitFor();
    await status.waitFor({ state: 'hidden' });
    expect(await filters.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
    await match.fill('nobody of this name');
    await match.press('Enter');
    await phone.getByText('Nothing matches these filters').waitFor();
    expect(await status.isVisible()).toBe(false);
  });

  it('names the buttons of a form by what they do: one closes it, and one cancels the order', async () => {
    const tab = await context.newPage();
    onTestFinished(() => tab.close());
    await tab.goto(`${origin}/orders`);
    await tab.locator('tbody a').first().click();
    await tab.getByRole('button', { name: 'Cancel an order and its shipments' }).click();
    const named = () => tab.locator('.act button').allTextContents();
    await tab.getByLabel('Cancel reason required').fill('a mistake');
    expect(await named()).toEqual(['Dry run', 'Close']);
    await tab.getByRole('button', { name: 'Dry run' }).click();
    await tab.getByRole('heading', { name: 'This will be sent' }).waitFor();
    expect((await named()).filter((name) => name !== 'Copy command')).toEqual([
      'Dry run',
      'Close',
      'Cancel the order and its shipments',
    ]);
    await tab.getByRole('button', { name: 'Close' }).click();
    await tab.getByRole('button', { name: 'Cancel an order and its shipments' }).waitFor();
  });

  it('asks before a cancellation once, with its dry run, and calls a field at fault as the form does', async () => {
    const tab = await context.newPage();
    onTestFinished(() => tab.close());
    await tab.goto(`${origin}/orders?status=Z`);
    await tab.locator('tbody a').first().click();
    await tab.getByRole('button', { name: 'Cancel an order and its shipments' }).click();
    await tab.getByRole('button', { name: 'Dry run' }).click();
    await tab.getByText('“Cancel reason” is required').waitFor();
    await tab.getByLabel('Cancel reason required').fill('a mistake');
    await tab.getByRole('button', { name: 'Dry run' }).click();
    await tab.getByText(/are you sure/).waitFor();
    await tab.locator(doing).click();
    await tab.getByText('Done.').waitFor();
  });

  it('has neither an action nor a fault of its time line for a record that is not there', async () => {
    const tab = await context.newPage();
    onTestFinished(() => tab.close());
    await tab.goto(`${origin}/orders/123`);
    await tab.getByText('Nothing is known yet.').waitFor();
    expect(await tab.locator('.failure').allTextContents()).toEqual([expect.stringContaining('order not found')]);
    expect(await tab.getByRole('button', { name: 'Cancel an order and its shipments' }).count()).toBe(0);
  });

  it('tells the story that the service knows of an order where this machine has seen nothing of it', async () => {
    const tab = await context.newPage();
    onTestFinished(() => tab.close());
    await tab.goto(`${origin}/orders`);
    await tab.locator('tbody tr').last().locator('a').first().click();
    const lines = tab.locator('.time-line li');
    await lines.filter({ hasText: 'created for' }).waitFor();
    // Newest first; what opens is that line.
    expect(await lines.last().textContent()).toContain('created for');
    await lines.last().locator('summary').click();
    await lines.last().getByText('orders story').first().waitFor();
    expect(await tab.getByText('Nothing is known yet.').count()).toBe(0);
  });

  it('opens a record by a click anywhere in its row, and shows a row as a card on a phone', async () => {
    await page.goto(`${origin}/orders`);
    const row = page.locator('tbody tr').first();
    const code = await row.locator('a').textContent();
    await row.locator('td').nth(3).click();
    await page.getByRole('heading', { name: `Orders: ${code}` }).waitFor();
    await page.getByRole('heading', { name: 'Goods' }).waitFor();
    await page.getByText(/^Other fields \(\d+\)$/).waitFor();
    await page.setViewportSize(phone);
    onTestFinished(() => page.setViewportSize(desk));
    await page.goto(`${origin}/orders`);
    await page.locator('tbody a').first().waitFor();
    const cut =
      "[...document.querySelectorAll('tbody td')].filter((cell) => cell.getBoundingClientRect().right > innerWidth).length";
    expect([await fits(), await page.evaluate(cut)]).toEqual([true, 0]);
  });

  it('goes back from a record to the list as it was, with the focus on its row', async () => {
    const focused = () => page.evaluate('document.activeElement.textContent');
    const list = `${origin}/customers?match=nguyen&columns=id%2Cphone`;
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('link', { name: '← Customers' }).click(),
      () => page.goBack(),
    ]) {
      await page.goto(list);
      await page.getByRole('columnheader', { name: 'phone' }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      const id = await focused();
      await page.keyboard.press('Enter');
      await page.getByText(String(id), { exact: true }).first().waitFor();
      await expect.poll(focused).toMatch(/^Customers: \D/);
      await leave();
      await page.getByRole('columnheader', { name: 'phone' }).waitFor();
      expect(page.url()).toBe(list);
      await expect.poll(focused).toBe(id);
    }
  });

  it('has its filters in the address, and a filter begins at the first page', async () => {
    await page.goto(`${origin}/customers?page=${encodeURIComponent('{"input":{},"from":100}')}`);
    await page.getByLabel('Match').fill('ho ngoc mai');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Hồ Ngọc Mai' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?match=ho+ngoc+mai');
    await page.getByLabel('Match').fill('nobody at all');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByLabel('Match').fill('');
    await page.keyboard.press('Enter');
    await page.getByRole('table').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('shows a failed query as a failure, and never as an empty list', async () => {
    // However often the page asks.
    const refusing = ['shop.Customer/ListCustomers', '--every', '1', '--do', 'status=400,code=invalid_argument'];
    await commandLine(['sandbox', 'faults', 'add', ...refusing]);
    for (const address of ['/customers', '/customers?match=mai']) {
      await page.goto(`${origin}${address}`);
      await page.getByRole('alert').getByText('shop.Customer/ListCustomers').waitFor();
      expect(await page.locator('.empty, tbody tr').count()).toBe(0);
    }
    await commandLine(['sandbox', 'faults', 'clear']);
    await page.goto(`${origin}/customers`);
    await page.getByRole('table').waitFor();
  });

  it('shows a report with its drawing, its definition and its SQL, which are saved and never shown as a page', async () => {
    await page.goto(`${origin}/report?report%3Aname=sales`);
    const drawing = page.getByRole('img');
    await drawing.waitFor();
    await expect.poll(() => page.evaluate("document.querySelector('img').naturalWidth")).toBeGreaterThan(0);
    await page.getByText('explain', { exact: true }).click();
    await page.getByText('definition', { exact: true }).waitFor();
    await page.getByText('sql', { exact: true }).click();
    await page
      .locator('pre')
      .filter({ hasText: /select/i })
      .waitFor();
    expect(await downloaded('html')).toContain('<svg');
  });

  it('tells everything that happened to an order and its parcel on one time line', async () => {
    const run = async (...words: string[]) => commandLine([...words, '--profile', 'sandbox-shop', '--json']);
    await started(['webhooks', 'listen', '--register', '--port', '0', '--profile', 'sandbox-shop']);
    const sheet = `${program.home}/told.csv`;
    const orders = await readFile('examples/orders.csv', 'utf8');
    // Of other recipients than the orders of other tests: nothing is asked about equal ones.
    await writeFile(sheet, orders.replaceAll('SO-', 'TOLD-').replaceAll(/\b09(?=\d{8}\b)/g, '08'));
    const { batch } = JSON.parse(await run('batch', 'run', sheet, '--yes'));
    const [{ id }] = JSON.parse(await run('batch', 'rows', batch));
    await run('sandbox', 'advance', id, '--to', 'delivered');
    const paid = `${program.home}/paid.csv`;
    await run('sandbox', 'payment-file', '--layout', 'ghtk', '--to', paid);
    await run('cod', 'import', paid);
    await page.goto(`${origin}/orders/${id}`);
    for (const source of ['sandbox log', 'sandbox deliveries', 'events list', 'batch find', 'cod show']) {
      // The sandbox delivers after it has answered; the page hears of it.
      await page.locator('.time-line li').filter({ hasText: source }).first().waitFor();
    }
    await page.locator('.time-line li').filter({ hasText: 'batch find' }).first().locator('summary').click();
    await page.getByText('shipping_address.full_name: Nguyễn Thị Lan').waitFor();
    await page.goto(`${origin}/batch/${batch}`);
    await page.getByRole('columnheader', { name: 'recipient' }).waitFor();
    // Of the sheet's columns those are left out that have no room, which the page says: the table does not scroll.
    await page.locator('.scrolls[data-left-out*="on a wider page"]').waitFor();
    expect(await page.getByRole('columnheader', { name: 'shipping_address.ward' }).count()).toBe(0);
  });

  it('is lived in for a morning', async () => {
    // A sheet is run, while the service refuses one of its rows.
    await page.goto(`${origin}/sandbox`);
    await begin('Script a fault: which calls it affects, and how they fail');
    await page.getByLabel('Operation required').fill('shop.Shipping/CreateAndConfirmOrder');
    await page.getByLabel('Do required').fill('status=400,code=invalid_argument');
    await page.getByLabel('Once').selectOption('true');
    await confirm();
    await page.goto(`${origin}/batch`);
    await begin('Run a command for each row of a sheet');
    await page.getByLabel('File', { exact: true }).setInputFiles('examples/orders.csv');
    await page.getByText('Working').waitFor({ state: 'detached' });
    await confirm();
    await page.goto(`${origin}/batch`);
    await page.locator('tbody a').first().click();
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await page.getByLabel('State').selectOption('failed');
    const failed = page.locator('section').filter({ hasText: 'List the rows of a batch' }).locator('tbody tr');
    await expect.poll(() => failed.count()).toBe(1);
    // It is mended.
    await page.getByRole('button', { name: 'Retry the failed rows of a batch' }).click();
    await confirm();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => failed.count()).toBe(0);
    expect(await downloaded('csv')).toContain('SO-1001');
    // A parcel is found by a phone.
    await page.goto(`${origin}/orders?match=0901234567`);
    await page.getByRole('row').filter({ hasText: 'Nguyễn Thị Lan' }).first().waitFor();
    // A delivery that failed is sent again.
    const receiver = createServer((_, answer) => answer.writeHead(500).end()).listen(0, '127.0.0.1');
    onTestFinished(() => void receiver.close());
    await once(receiver, 'listening');
    const { port } = Object(receiver.address());
    await page.goto(`${origin}/webhooks`);
    await begin('Create a webhook: changes are sent to its url');
    await page.getByRole('combobox', { name: 'Entities' }).selectOption('customer');
    await page.getByLabel('Url required').fill(`http://127.0.0.1:${port}/`);
    await confirm();
    await page.goto(`${origin}/customers`);
    await begin('Create a customer');
    await page.getByLabel('Full name required').fill('Mai');
    await page.getByLabel('Phone required').fill('0909000456');
    await confirm();
    const again = page.getByRole('button', { name: 'redeliver' });
    // The sandbox delivers after it has answered.
    const deliveries = async () => {
      await page.goto(`${origin}/sandbox?do=sandbox.deliveries`);
      await page.getByRole('table').first().waitFor();
      return again.count();
    };
    await expect.poll(deliveries).toBeGreaterThan(0);
    await again.first().click();
    await confirm();
    // The clock goes on, and yesterday's fees are looked at.
    await page.goto(`${origin}/sandbox`);
    await begin('Freeze the business clock');
    await confirm();
    await page.getByRole('button', { name: 'Close' }).click();
    await begin('Advance the business clock');
    await page.getByLabel('By required').fill('24h');
    await confirm();
    await page.goto(`${origin}/report?report%3Aname=carriers`);
    await page.getByRole('columnheader', { name: /fee/ }).first().waitFor();
  });

  describe('a write', () => {
    const createPath = `**/api/run/${encodeURIComponent('shop.Customer/CreateCustomer')}`;
    /** A tab with the form of a new customer; what it complains about is expected. */
    const drafted = async (of: BrowserContext, name: string) => {
      const tab = await of.newPage();
      onTestFinished(() => tab.close());
      await tab.goto(`${origin}/customers`);
      await tab.locator('summary').filter({ hasText: 'Actions' }).click();
      await tab.getByRole('button', { name: 'Create a customer' }).click();
      await tab.getByLabel('Full name required').fill(name);
      await tab.getByLabel('Phone required').fill('0909000881');
      return tab;
    };
    const button = (tab: Page, name: string | RegExp) => tab.getByRole('button', { name });
    /** Lets requests to create a customer wait, those of a dry run or the others, until `goOn` is called. */
    const held = async (tab: Page, look: boolean) => {
      let goOn = () => {};
      const until = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await tab.route(createPath, async (route) => {
        if (route.request().postDataJSON().look === look) await until;
        await route.continue();
      });
      return goOn;
    };
    const made = async (name: string) =>
      JSON.parse(await commandLine(['customers', 'list', '--all', '--json', '--profile', 'sandbox-shop'])).filter(
        ({ full_name }: { readonly full_name: string }) => full_name === name,
      ).length;

    it('is sent once, however often its button is pressed, and cannot be cancelled meanwhile', async () => {
      const tab = await drafted(context, 'Twice');
      const goOn = await held(tab, false);
      let sent = 0;
      tab.on('request', (request) => {
        if (request.postData()?.includes('"look":false')) sent += 1;
      });
      await button(tab, 'Dry run').click();
      await button(tab, 'Create the customer').evaluate((node) => {
        for (const _ of [1, 2]) Object(node).click();
      });
      await tab.getByText('Working').waitFor();
      expect(await button(tab, 'Close').isDisabled()).toBe(true);
      goOn();
      await tab.getByText('Done.').waitFor();
      expect([sent, await made('Twice')]).toEqual([1, 1]);
    });

    it('whose answer is lost may have happened; one that is refused at the gate has not', async () => {
      const lost = await drafted(context, 'Lost');
      await lost.route(createPath, async (route) => {
        if (route.request().postDataJSON().look) return route.continue();
        await route.fetch();
        await route.abort();
      });
      await button(lost, 'Dry run').click();
      await button(lost, 'Create the customer').click();
      await lost.getByText('It may have happened.').waitFor();
      await lost.getByText('shopctl ledger list').waitFor();
      expect(await made('Lost')).toBe(1);
      const session = await browser.newContext({ storageState: await context.storageState() });
      onTestFinished(() => session.close());
      const expired = await drafted(session, 'Expired');
      await button(expired, 'Dry run').click();
      await button(expired, 'Create the customer').waitFor();
      await session.clearCookies();
      await button(expired, 'Create the customer').click();
      await expired.getByRole('alert').getByText('Open the console with the address').waitFor();
      expect(await expired.getByText('It may have happened.').count()).toBe(0);
      expect(await made('Expired')).toBe(0);
    });

    it('is what the dry run has shown: one that was changed meanwhile is not offered to confirm', async () => {
      const tab = await drafted(context, 'Before');
      const goOn = await held(tab, true);
      await button(tab, 'Dry run').click();
      await tab.getByLabel('Full name required').fill('After');
      await tab.getByLabel('Phone required').focus();
      goOn();
      await tab.getByText('Working').waitFor({ state: 'detached' });
      expect(await button(tab, 'Create the customer').count()).toBe(0);
      await button(tab, 'Dry run').click();
      await button(tab, 'Create the customer').click();
      await tab.getByText('Done.').waitFor();
      expect([await made('Before'), await made('After')]).toEqual([0, 1]);
    });
  });

  it('loads in twenty tabs at once: one of them holds the stream', async () => {
    const tabs = await Promise.all(Array.from({ length: 20 }, () => context.newPage()));
    onTestFinished(async () => void (await Promise.all(tabs.map((tab) => tab.close()))));
    await Promise.all(tabs.map((tab) => tab.goto(`${origin}/inventory`)));
    await Promise.all(tabs.map((tab) => tab.getByRole('table').waitFor()));
  });

  it('cuts no cell of any table at 1200 px, and names no setting by its id', async () => {
    await page.setViewportSize({ width: 1200, height: 900 });
    onTestFinished(() => page.setViewportSize(desk));
    await page.goto(`${origin}/`);
    const links = page.locator('.screens > ul a');
    await links.first().waitFor();
    const cut = `[...document.querySelectorAll('main :is(th, td)')].filter((cell) => {
      const { right } = cell.getBoundingClientRect();
      const frames = [];
      for (let at = cell.parentElement; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== 'visible') frames.push(at.getBoundingClientRect().right);
      }
      return right > Math.min(innerWidth, ...frames) + 1;
    }).map((cell) => cell.textContent)`;
    let tables = 0;
    for (const screen of await links.allTextContents()) {
      await links.filter({ hasText: screen }).first().click();
      await page.getByRole('heading', { name: screen, level: 1, exact: true }).waitFor();
      await page.locator('.command, .failure, .acts[open]').first().waitFor();
      await expect.poll(() => page.getByText('Loading').count()).toBe(0);
      tables += await page.locator('main table').count();
      expect([screen, await page.evaluate(cut), await page.getByText(/\bTz\b/).count()]).toEqual([screen, [], 0]);
    }
    expect(tables).toBeGreaterThan(5);
  });

  it('has no obstacle on any screen, 1280 and 375 px wide, light and dark', async () => {
    await page.goto(`${origin}/`);
    const links = page.locator('.screens > ul a');
    await links.first().waitFor();
    const screens = await links.allTextContents();
    expect(screens).toEqual([
      ...['Today', 'Orders', 'Parcels', 'Customers', 'Products', 'Variants', 'Inventory', 'Batches', 'Events'],
      ...['Reports', 'Cash on delivery', 'Sandbox'],
    ]);
    const rows = page.locator('main tbody tr');
    /** Shows a few rows of a long list: the others are made as they are, and axe takes its time for each. */
    const shorten = async () => {
      if ((await page.getByRole('link', { name: 'Next page' }).count()) === 0) return;
      await page.evaluate(
        "history.replaceState(null, '', location.pathname + '?limit=4'); dispatchEvent(new PopStateEvent('popstate'))",
      );
      await expect.poll(() => rows.count()).toBeLessThan(5);
    };
    // What stands under More is made of the same parts. A theme and a width change what is seen, not what is there.
    const lookups = `, runOnly: ['color-contrast', 'scrollable-region-focusable', 'link-in-text-block']`;
    for (const screen of screens) {
      await page.setViewportSize(desk);
      await page.emulateMedia({ colorScheme: 'light' });
      await links.filter({ hasText: screen }).first().click();
      await page.getByRole('heading', { name: screen, level: 1, exact: true }).waitFor();
      await page.locator('.command, .failure, .acts[open]').first().waitFor();
      await expect.poll(() => page.getByText('Loading').count()).toBe(0);
      await shorten();
      expect([screen, await violations(), await fits()]).toEqual([screen, [], true]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([screen, await violations(lookups)]).toEqual([screen, []]);
      await page.setViewportSize(phone);
      expect([screen, await violations(lookups), await fits()]).toEqual([screen, [], true]);
      await page.emulateMedia({ colorScheme: 'light' });
      expect([screen, await violations(lookups)]).toEqual([screen, []]);
    }
  });

  it('scrolls sideways on no page of a phone in Vietnamese: lists, records, forms, and what is not there', async () => {
    const tab = await context.newPage();
    onTestFinished(() => tab.close());
    await tab.setViewportSize(phone);
    const seen: string[] = [];
    const settled = async () => {
      await tab.locator('main h1').waitFor();
      await expect.poll(() => tab.getByText(/^(?:Loading|Đang tải)/).count()).toBe(0);
    };
    const fitsAt = async (what: string) => {
      seen.push(what);
      const isWide = await tab.evaluate('document.scrollingElement.scrollWidth > innerWidth');
      expect([what, isWide]).toEqual([what, false]);
    };
    await tab.goto(`${origin}/?${LANGUAGE}=vi`);
    await settled();
    expect(await tab.evaluate('document.documentElement.lang')).toBe('vi');
    const screens = await tab.locator('.screens a').evaluateAll((links) => links.map((link) => Object(link).pathname));
    for (const address of [...screens, '/orders/123', '/nothing']) {
      await tab.goto(`${origin}${address}`);
      await settled();
      await fitsAt(address);
      const record = tab.locator('main tbody a').first();
      if (await record.isVisible()) {
        await record.click();
        await settled();
        await fitsAt(`a record of ${address}`);
        await tab.goBack();
        await settled();
      }
      const folded = tab.locator('details.acts:not([open]) > summary');
      if (await folded.isVisible()) await folded.click();
      const acts = tab.locator('.acts button');
      for (let at = 0; at < (await acts.count()); at += 1) {
        await acts.nth(at).click();
        await tab.locator('.act button[type=submit]').waitFor();
        await fitsAt(`form ${at} of ${address}`);
        await tab.locator('.act button[type=submit] + button').click();
        if (await folded.isVisible()) await folded.click();
      }
    }
    // The language that the browser had.
    await tab.goto(`${origin}/?${LANGUAGE}=en`);
    expect(seen.length).toBeGreaterThan(50);
  });
});
