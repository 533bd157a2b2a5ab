// Makes the pictures of docs/reports.md and README.md: a sandbox of its own with two months of orders, its mirror, a report
// as a page, and Debian's chromium.
//   npm run build && npm run pictures:reports [-- --all DIR]
//
// --all DIR also writes every report's page, for looking at: light and dark, at 375 and 1280 pixels, and as a PDF.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values } = parseArgs({ options: { all: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const to = join(root, 'docs/pictures');
const home = await mkdtemp(join(tmpdir(), 'shopctl-pictures-'));
const bin = join(root, 'bin/shopctl.js');
const env = { ...process.env, SHOPCTL_CONFIG_DIR: home };
const words = ['sandbox', 'start', '--port', '0', '--ephemeral', '--no-console', '--json'];
const sandbox = spawn(process.execPath, [bin, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
await once(sandbox.stdout, 'data');

/** Runs the program as the shop; throws if it fails. */
function shopctl(...given) {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...given, '--profile', 'sandbox-shop'], { env });
  if (status !== 0) throw new Error(`${given.join(' ')}: exit ${status}: ${stderr}`);
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  await mkdir(to, { recursive: true });
  shopctl('mirror', 'sync');
  const pages = join(home, 'pages');
  shopctl('report', 'all', '--to', pages);
  const weeks = join(home, 'cod.html');
  const [since, until] = [-62, 0].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
  shopctl('report', 'cod', '--by', 'week', '--since', since, '--until', until, '--to', weeks);
  const page = await browser.newPage({ viewport: { width: 900, height: 640 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(weeks).href);
  await page.screenshot({ path: join(to, 'report-cod.png'), clip: { x: 0, y: 0, width: 900, height: 410 } });
  if (values.all !== undefined) {
    const all = resolve(values.all);
    await mkdir(all, { recursive: true });
    for (const name of (await readdir(pages)).filter((file) => file.endsWith('.html'))) {
      for (const width of [375, 1280]) {
        for (const colorScheme of ['light', 'dark']) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme });
          await page.goto(pathToFileURL(join(pages, name)).href);
          await page.screenshot({ path: join(all, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        }
      }
      await page.pdf({ path: join(all, `${name}.pdf`), preferCSSPageSize: true, printBackground: true });
    }
  }
} finally {
  await browser.close();
  sandbox.kill('SIGTERM');
  await once(sandbox, 'exit');
  await rm(home, { recursive: true, force: true });
}
