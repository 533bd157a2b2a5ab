import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';

/** Debian's chromium; CI installs it. */
const executablePath = '/usr/bin/chromium';

/** Where the browser is missing these tests are passed over, except in CI, which installs it. */
const isMissing = !existsSync(executablePath) && !process.env.CI;
export const inBrowser = describe.skipIf(isMissing);

export const desk = { width: 1280, height: 900 };
export const phone = { width: 375, height: 700 };

/** A browser for the tests of a file: what opens a page whose every complaint fails the test, errors and whatever a policy refused. */
export function pagesOfThisFile() {
  let browser: Browser;
  beforeAll(async () => {
    if (isMissing) return;
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser?.close());
  return async (viewport = desk): Promise<{ page: Page; complaints: string[] }> => {
    const context = await browser.newContext({ viewport });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return { page, complaints };
  };
}

/** Whether nothing stands out of the viewport to the right. */
export const fits = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
