/* What a form has sent counts as told when its page has shown it: one that is gone before, or reloaded, makes no second record. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { consoleOfASandbox } from './console-of-a-sandbox.ts';
import { inBrowser, pagesOfThisFile } from './pages.ts';

const openPage = pagesOfThisFile();

const CREATE = 'shop.Customer/CreateCustomer';
const createPath = `**/api/run/${encodeURIComponent(CREATE)}`;
const button = (tab: Page, name: string | RegExp) => tab.getByRole('button', { name });

/** Opens the form of a new customer, and fills it in. */
async function filled(tab: Page, name: string) {
  await tab.locator('summary').filter({ hasText: 'Actions' }).click();
  await button(tab, 'Create a customer').click();
  await tab.getByLabel('Full name required').fill(name);
  await tab.getByLabel('Phone required').fill('0909000881');
}

async function confirmed(tab: Page, name: string) {
  await filled(tab, name);
  await sent(tab);
}

/** Sends a form after its dry run. */
async function sent(tab: Page) {
  await button(tab, 'Dry run').click();
  await button(tab, 'Create the customer').click();
}

/** Calls back instead of giving the answer to the first write to the page. */
async function answeredTo(tab: Page, instead: () => Promise<unknown>) {
  let isFirst = true;
  await tab.route(createPath, async (route) => {
    if (route.request().postDataJSON().look || !isFirst) return route.continue();
    isFirst = false;
    await route.fetch();
    await instead();
  });
}

/** The mark of the form, which the tab keeps. */
const markIn = (tab: Page) => tab.evaluate(`sessionStorage.getItem('opened ${CREATE}')`);

inBrowser('in a browser', () => {
  it('a form makes one record until its page has shown it, whatever became of the page, and another one then', async () => {
    const { address, read } = await consoleOfASandbox();
    const made = async (name: string) =>
      (await read('customers', 'list', '--all')).filter((one: { full_name: string }) => one.full_name === name).length;
    const { page } = await openPage();
    const context: BrowserContext = page.context();
    // No test is about speed: a busy machine takes long.
    context.setDefaultTimeout(90_000);
    await page.goto(address);
    const customers = `${new URL(address).origin}/customers`;

    const gone = await context.newPage();
    await gone.goto(customers);
    await Promise.all([
      new Promise<void>((left) => {
        void answeredTo(gone, async () => {
          await gone.close();
          left();
        });
      }),
      confirmed(gone, 'Gone').catch(() => {}),
    ]);
    const later = await context.newPage();
    await later.goto(customers);
    await confirmed(later, 'Gone');
    await later.getByText('created once').waitFor();
    expect(await made('Gone')).toBe(1);

    const reloaded = await context.newPage();
    await reloaded.goto(customers);
    let mark: unknown;
    const isReloaded = new Promise<void>((again) => {
      void answeredTo(reloaded, async () => {
        mark = await markIn(reloaded);
        // A form that is opened now has a later mark.
        await read('customers', 'create', '--full-name', 'Other', '--phone', '0909000882');
        await reloaded.reload();
        again();
      });
    });
    await confirmed(reloaded, 'Reloaded');
    await isReloaded;
    await filled(reloaded, 'Reloaded');
    expect([typeof mark, await markIn(reloaded)]).toEqual(['string', mark]);
    await sent(reloaded);
    await reloaded.getByText('created once').waitFor();
    expect(await made('Reloaded')).toBe(1);

    // It was shown now: what is sent from here on is meant.
    await reloaded.waitForFunction(`sessionStorage.getItem('opened ${CREATE}') !== '${mark}'`);
    await button(reloaded, 'Close').click();
    await confirmed(reloaded, 'Reloaded');
    await reloaded.getByText('Done.').waitFor();
    expect(await made('Reloaded')).toBe(2);
  });
});
