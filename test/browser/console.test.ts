import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';

/** Debian's chromium; CI installs it. */
const executablePath = '/usr/bin/chromium';

/** Where the browser is missing these tests are passed over, except in CI, which installs it. */
const isMissing = !existsSync(executablePath) && !process.env.CI;
const inBrowser = describe.skipIf(isMissing);

let browser: Browser;
let program: BuiltProgram;
let origin: string;
const ends: (() => Promise<void>)[] = [];

/** Starts the program and waits for its first line, which says that it is ready. */
async function started(words: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const env = {
    ...process.env,
    HOME: program.home,
    SHOPCTL_CONFIG_DIR: `${program.home}/config`,
    XDG_STATE_HOME: program.home,
  };
  const child = spawn(process.execPath, [`${program.bin}/shopctl.js`, ...words, '--json'], { env });
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
});
afterAll(async () => {
  await browser?.close();
  for (const end of ends.reverse()) await end();
  program?.remove();
});

const desk = { width: 1280, height: 900 };

const phone = { width: 375, height: 700 };

/** What axe finds on the page, as text; the page's policy does not concern what the debugger evaluates. */
async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
  );
}

/** Whether nothing stands out of the viewport to the right. */
const fits = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

let cookies: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>> | undefined;

/** A page that is signed in, whose every complaint is listed: errors, refused content, requests to elsewhere. */
async function openPage(viewport = desk): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`left for ${request.url()}`);
  });
  if (cookies === undefined) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    cookies = await context.cookies();
  } else await context.addCookies(cookies);
  return { page, complaints };
}

inBrowser('the console', () => {
  it('opens with its address once, which then has no secret any more', async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${origin}/`);
    expect(page.url()).toBe(`${origin}/`);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(complaints).toEqual([]);
    const stranger = await browser.newContext();
    onTestFinished(() => stranger.close());
    const again = await (await stranger.newPage()).goto(address);
    expect(again?.status()).toBe(403);
  });

  it('lists orders as the command line does, and shows the command', async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${origin}/orders`);
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(10);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(
      expect.arrayContaining(['id', 'code', 'status']),
    );
    expect(await page.locator('.command code').first().textContent()).toBe(
      'shopctl orders list --profile sandbox-shop',
    );
    expect(complaints).toEqual([]);
  });

  it('changes a record by mouse: a dry run, then what is sent, then how it is; and tells its time line', async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${origin}/customers`);
    await page.getByText(/^Actions/).click();
    await page.getByRole('button', { name: 'Create a customer' }).click();
    await page
      .getByText(/^(?:More fields|Fields)/)
      .first()
      .click();
    await page.getByLabel('Full name').fill('<b>Lê</b> Hà');
    await page.getByLabel('Phone required').fill('0909000123');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('heading', { name: 'This will be sent' }).waitFor();
    await page.getByRole('button', { name: /^Confirm/ }).click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: '1 new' }).click();
    const row = page.getByRole('row').filter({ hasText: '<b>Lê</b> Hà' });
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Time line' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'CreateCustomer' }).first().waitFor();
    expect(await page.locator('main b').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('is used by keyboard alone: to a row, into it, through its form, and back', async () => {
    const { page, complaints } = await openPage();
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
    await page.getByRole('button', { name: /^Confirm/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/are you sure/).waitFor();
    await page.getByRole('button', { name: 'No' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('has its filters in the address, and a filter begins at the first page', async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${origin}/customers?page=${encodeURIComponent('{"input":{},"from":100}')}`);
    await page.getByLabel('Match').fill('ho ngoc mai');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Hồ Ngọc Mai' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?match=ho+ngoc+mai');
    await page.getByLabel('Match').fill('nobody at all');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches these filters.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('loads in twenty tabs at once: one of them holds the stream', async () => {
    const { page } = await openPage();
    const tabs = await Promise.all(Array.from({ length: 20 }, () => page.context().newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(`${origin}/orders`)));
    await Promise.all(tabs.map((tab) => tab.getByRole('table').waitFor()));
  });

  it.each([
    ['1280', 'light', desk],
    ['375', 'dark', phone],
  ] as const)('has no obstacle on any screen, %s px wide and %s', async (_, colorScheme, viewport) => {
    const { page, complaints } = await openPage(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${origin}/`);
    await page.getByRole('table').waitFor();
    // What stands under More is made of the same parts.
    const screens = await page
      .locator('.screens a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(screens).toEqual(
      expect.arrayContaining(['/orders', '/fulfillments', '/customers', '/products', '/inventory']),
    );
    for (const screen of screens) {
      await page.goto(`${origin}${screen}`);
      await page.locator('.command, .failure, .acts[open]').first().waitFor();
      expect([screen, await violations(page), await fits(page)]).toEqual([screen, [], true]);
    }
    expect(complaints).toEqual([]);
  });
});
