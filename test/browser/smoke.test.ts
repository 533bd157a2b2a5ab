/* One page of each server that a browser opens; all others, and at other widths, are proved in the files beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { buildProgram } from '../support/built-program.ts';
import { inBrowser, pagesOfThisFile } from './pages.ts';
import { login, shopsOf, world } from './sign-in-world.ts';

const openPage = pagesOfThisFile();

/** The address of the console that a started sandbox prints. */
async function consoleOfASandbox(): Promise<string> {
  const { bin, home, remove } = await buildProgram();
  onTestFinished(remove);
  const words = ['sandbox', 'start', '--port', '0', '--ephemeral', '--json'];
  const env = { PATH: process.env.PATH, HOME: home, SHOPCTL_CONFIG_DIR: home };
  const child = spawn(process.execPath, [`${bin}/shopctl.js`, ...words], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const [line] = await once(child.stdout, 'data');
  return JSON.parse(String(line)).console_url;
}

inBrowser('in a browser', () => {
  it('the console opens with its address once, which then has no secret any more', async () => {
    const address = await consoleOfASandbox();
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
