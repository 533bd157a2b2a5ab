// Makes the pictures of docs/console.md: a sandbox of its own, its console, and Debian's chromium.
//   npm run build && npm run pictures
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const to = join(root, 'docs/console');
const home = await mkdtemp(join(tmpdir(), 'shopctl-pictures-'));
const env = { ...process.env, SHOPCTL_CONFIG_DIR: home, SHOPCTL_STATE_DIR: join(home, 'state'), XDG_STATE_HOME: home };
const words = ['sandbox', 'start', '--port', '0', '--ephemeral', '--json'];
const sandbox = spawn(process.execPath, [join(root, 'bin/shopctl.js'), ...words], { env });
const [line] = await once(sandbox.stdout, 'data');
const { console_url: url } = JSON.parse(line);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  await mkdir(to, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1100, height: 700 }, colorScheme: 'light' });
  await page.goto(url);
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('table').waitFor();
  await page.screenshot({ path: join(to, 'orders.png') });
  await page.locator('tbody a').first().click();
  await page.getByRole('button', { name: /^Cancel an order/ }).click();
  await page.getByLabel('Cancel reason required').fill('ordered twice');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByRole('button', { name: /^Cancel the order/ }).waitFor();
  await page.getByRole('button', { name: /^Cancel the order/ }).scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(to, 'dry-run.png') });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('link', { name: 'Sandbox' }).click();
  await page.getByRole('table').first().waitFor();
  await page.screenshot({ path: join(to, 'sandbox.png') });
} finally {
  await browser.close();
  sandbox.kill('SIGTERM');
  await once(sandbox, 'exit');
  await rm(home, { recursive: true, force: true });
}
