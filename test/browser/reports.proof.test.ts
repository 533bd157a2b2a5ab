import { existsSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { reports } from '../../src/reports/declared/reports.ts';
import { randomFrom } from '../support/random-from.ts';
import { randomShop, servingShop } from '../support/random-shop.ts';
import { testStart } from '../support/sandbox.ts';
import { shopWorld } from '../support/shop-world.ts';

const executablePath = '/usr/bin/chromium';
const isMissing = !existsSync(executablePath) && !process.env.CI;

let browser: Browser;
beforeAll(async () => {
  if (isMissing) return;
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
});
afterAll(() => browser?.close());

/** The pages of a random shop, in a directory. */
async function written(): Promise<string> {
  const world = await shopWorld(servingShop(randomShop(randomFrom(3), testStart, 80), testStart));
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync']);
  const directory = join(world.directory, 'out');
  expect((await world.run(['report', 'all', '--to', directory])).exit).toBe(0);
  return directory;
}

const pages = ['index', ...reports.map(({ name }) => name)];

describe.skipIf(isMissing)('the pages of reports in a browser', () => {
  it('ask for nothing, complain about nothing, and are no wider than the screen', async () => {
    const directory = await written();
    for (const [width, colorScheme] of [
      [375, 'light'],
      [375, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const complaints: string[] = [];
      const asked: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('dialog', (dialog) => complaints.push(dialog.message()));
      page.on('request', (request) => asked.push(request.url()));
      for (const name of pages) {
        const url = `file://${join(directory, `${name}.html`)}`;
        await page.goto(url);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        // On a phone no table is cut either: its rows are cards.
        const cut = "[...document.querySelectorAll('.wide')].some((one) => one.scrollWidth > one.clientWidth)";
        if (width === 375) expect([name, await page.evaluate(cut)]).toEqual([name, false]);
        await page.evaluate(axe.source);
        const found = await page.evaluate(
          `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
        );
        expect([name, width, colorScheme, found]).toEqual([name, width, colorScheme, []]);
        if (name === 'index') continue;
        // One drawing for each width, whose letters are not made smaller than they are to be read.
        const drawings = page.locator('svg:visible');
        expect(await drawings.count()).toBe(1);
        const box = await drawings.first().boundingBox();
        const [, , drawn] = (await drawings.first().getAttribute('viewBox'))?.split(' ').map(Number) ?? [];
        expect((box?.width ?? 0) / (drawn ?? 1)).toBeGreaterThan(0.95);
      }
      expect([complaints, asked]).toEqual([[], pages.map((name) => `file://${join(directory, `${name}.html`)}`)]);
    }
  });

  it('are printed on A4, on several pages where they have to be', async () => {
    const directory = await written();
    const page = await browser.newPage();
    await page.goto(`file://${join(directory, 'sales.html')}`);
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true });
    const text = pdf.toString('latin1');
    const sheets = text.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
    expect(sheets).toBeGreaterThan(1);
    // A4 in points.
    expect(text).toMatch(/\/MediaBox \[0 0 59[45](?:\.\d+)? 84[12](?:\.\d+)?\]/);
    await page.close();
  });
});
