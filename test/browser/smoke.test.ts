/* One page of each server that a browser opens; all others, and at other widths, are proved in the files beside it. */
import { expect, it } from 'vitest';
import { consoleOfASandbox } from './console-of-a-sandbox.ts';
import { inBrowser, pagesOfThisFile } from './pages.ts';
import { login, shopsOf, world } from './sign-in-world.ts';

const openPage = pagesOfThisFile();

inBrowser('in a browser', () => {
  it('the console opens with its address once, which then has no secret any more', async () => {
    const { address } = await consoleOfASandbox();
    const { page, complaints } = await openPage();
    await page.goto(address);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(page.url()).toBe(`${new URL(address).origin}/`);
    expect(complaints).toEqual([]);
    const stranger = await openPage();
    expect((await stranger.page.goto(address))?.status()).toBe(403);
  });

  it('the page of the service signs a shop in', async () => {
    const here = await world();
    const { page, complaints } = await openPage();
    const { exit } = await login(here, async (url) => {
      await page.goto(url);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('The shop signed in').waitFor();
    });
    expect([exit, Object.keys(await shopsOf(here)).length, complaints]).toEqual([0, 1, []]);
  });
});
