import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../src/platform/server/http-server.ts';
import { quotedOrder } from '../support/sandbox-order.ts';
import { desk, fits, inBrowser, pagesOfThisFile, phone } from './pages.ts';
import { login, shopsOf, type World, world } from './sign-in-world.ts';

const openPage = pagesOfThisFile();

inBrowser.each([
  ['1280', desk],
  ['375', phone],
])('at a width of %s', (_, viewport) => {
  it('the page of the service signs a shop in, by keyboard alone', async () => {
    const here = await world();
    const { page, complaints } = await openPage(viewport);
    const { exit } = await login(here, async (url) => {
      await page.goto(url);
      expect(await fits(page)).toBe(true);
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Allow');
      await page.keyboard.press('Enter');
      await page.getByText('The shop signed in').waitFor();
    });
    expect(exit).toBe(0);
    expect(Object.keys(await shopsOf(here))).toEqual([here.service.otherShop.id]);
    expect(complaints).toEqual([]);
  });

  it('the component in the CLI’s own page does, too', async () => {
    const here = await world({ component: true });
    const { page, complaints } = await openPage(viewport);
    const { exit } = await login(here, async (url) => {
      await page.goto(url);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('radio', { name: 'Second Demo Shop' }).check();
      expect(await fits(page)).toBe(true);
      await frame.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('The shop signed in').waitFor();
    });
    expect(exit).toBe(0);
    expect(Object.keys(await shopsOf(here))).toEqual([here.service.otherShop.id]);
    expect(complaints).toEqual([]);
  });
});

inBrowser('a sign-in in a browser', () => {
  it.each([false, true])('that is denied ends the login (component: %s)', async (component) => {
    const here = await world({ component });
    const { page } = await openPage();
    const { exit } = await login(here, async (url) => {
      await page.goto(url);
      const place = component ? page.frameLocator('iframe') : page;
      await place.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('Access was denied').waitFor();
    });
    expect(exit).toBe(4);
    expect(await shopsOf(here)).toEqual({});
  });

  it('whose request runs out says so and takes nothing any more', async () => {
    const here = await world();
    const { page } = await openPage();
    const { body } = await here.service.post('partner.Shop/AuthorizeShop', {}, here.service.partner.apiKey);
    here.service.clock.advance(899_000);
    await page.goto(`${here.baseUrl}/sign-in/?${new URLSearchParams({ auth_token: body.auth_token })}`);
    await page.getByText('This request has expired').waitFor();
    expect(await page.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true);
  });

  it('survives a wrong state before the right one, and a page that was closed', async () => {
    const here = await world({ component: true });
    const { exit } = await login(here, async (url) => {
      const wrong = new URL(url);
      wrong.searchParams.set('state', 'A'.repeat(43));
      const { page } = await openPage();
      await page.goto(wrong.href);
      await page.getByText('There is nothing here').waitFor();
      await page.goto(url);
      await page.frameLocator('iframe').getByRole('button', { name: 'Allow' }).waitFor();
      await page.close();
      const again = (await openPage()).page;
      await again.goto(url);
      await again.frameLocator('iframe').getByRole('button', { name: 'Allow' }).click();
      await again.getByText('The shop signed in').waitFor();
    });
    expect(exit).toBe(0);
  });

  it('does not disturb another one in progress', async () => {
    const here = await world({ component: true });
    const { shop, otherShop } = here.service;
    let opened = 0;
    let bothOpen = () => {};
    const both = new Promise<void>((resolve) => {
      bothOpen = resolve;
    });
    const choose = (name: string) => async (url: string) => {
      const { page } = await openPage();
      await page.goto(url);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('radio', { name, exact: false }).first().check();
      opened += 1;
      if (opened === 2) bothOpen();
      await both;
      await frame.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('The shop signed in').waitFor();
    };
    const ends = await Promise.all([
      login(here, choose(`id ${shop.id}`), ['--name', 'one']),
      login(here, choose(`id ${otherShop.id}`), ['--name', 'two']),
    ]);
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(await shopsOf(here)).toMatchObject({ [shop.id]: { name: 'one' }, [otherShop.id]: { name: 'two' } });
  });

  it('shows hostile names as text', async () => {
    const here = await world({ component: true });
    const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    const { page, complaints } = await openPage();
    const { exit } = await login(
      here,
      async (url) => {
        await page.goto(url);
        const frame = page.frameLocator('iframe');
        expect(await frame.getByRole('textbox', { name: 'Shop name' }).inputValue()).toBe(hostile);
        await frame.getByRole('button', { name: 'Allow' }).click();
        await page.getByText('The shop signed in').waitFor();
      },
      ['--name', hostile],
    );
    expect(exit).toBe(0);
    expect(complaints).toEqual([]);
    const { body } = await here.service.post('partner.Shop/AuthorizeShop', {}, here.service.partner.apiKey);
    await page.goto(`${here.baseUrl}/sign-in/?${new URLSearchParams({ auth_token: body.auth_token })}`);
    await page.getByText(hostile).waitFor();
    expect(complaints).toEqual([]);
  });

  it('cannot be shown in a frame of another page', async () => {
    const here = await world();
    const { body } = await here.service.post('partner.Shop/AuthorizeShop', {}, here.service.partner.apiKey);
    const { page, complaints } = await openPage();
    const target = `${here.baseUrl}/sign-in/?${new URLSearchParams({ auth_token: body.auth_token })}`;
    await page.setContent(`<iframe src="${target}"></iframe>`);
    await expect.poll(() => complaints.join(' ')).toContain('frame-ancestors');
  });
});

inBrowser('the component', () => {
  /** A page of a partner on this machine that runs the component and keeps what it hears. */
  async function partnerPage({ baseUrl }: World, authToken: string) {
    const { page } = await openPage();
    const heard = `window.heard = [];
      shopSignIn.init({ elem: '#here', auth_token: ${JSON.stringify(authToken)}, customize: { title: 'Tea & Co' } })
        .onReady(() => heard.push('ready'))
        .onAccessGranted((d) => heard.push('granted ' + d.shop_id))
        .onError((e) => heard.push(e.event + ': ' + e.error.message));`;
    const body = `<div id="here"></div><script src="${baseUrl}/sign-in/component.js"></script><script>${heard}</script>`;
    const server = await listenOnLoopback(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body }));
    onTestFinished(() => server.close());
    await page.goto(server.origin);
    return { page, heard: () => page.evaluate('window.heard.join(" | ")') };
  }

  it('tells when it is ready, under the title of the page', async () => {
    const here = await world();
    const { body } = await here.service.post('partner.Shop/AuthorizeShop', {}, here.service.partner.apiKey);
    const { page, heard } = await partnerPage(here, body.auth_token);
    await page.frameLocator('iframe').getByRole('heading', { name: 'Tea & Co' }).waitFor();
    await expect.poll(heard).toBe('ready');
  });

  it('answers the shop of a shop key at once', async () => {
    const here = await world();
    const { heard } = await partnerPage(here, here.service.shopKey);
    await expect.poll(heard).toBe(`granted ${here.service.shop.id}`);
  });

  it('refuses an API key before anything is sent, and tells what is wrong with a token', async () => {
    const here = await world();
    const key = await partnerPage(here, here.service.partner.apiKey);
    await expect.poll(key.heard).toBe('init: auth_token must be a request token or a shop key');
    const unknown = await partnerPage(here, `request:${'A'.repeat(43)}`);
    await expect.poll(unknown.heard).toBe('refused: no such request token');
  });
});

inBrowser('the whole program', () => {
  it('in a pseudo-terminal signs a shop in by a browser, and ships an order with the key', async () => {
    const here = await world();
    const { service, machine } = here;
    const place = mkdtempSync(join(tmpdir(), 'shopctl-program-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    await bundleInto(place);
    const { page } = await openPage();

    const program = inTerminal(place, machine.directory, ['auth', 'login', '--no-browser']);
    const url = await program.sees(/http:\/\/127\.0\.0\.1:\d+\/sign-in\/\?auth_token=[\w%-]+/);
    await program.sees(/1[45]:\d\d left\. Waiting/);
    await page.goto(url);
    await page.getByRole('radio', { name: 'Second Demo Shop' }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('The shop signed in').waitFor();
    expect(await program.exit).toBe(0);
    expect(program.screen()).toContain(`signed in: orders are now shipped for shop ${service.otherShop.id}`);

    const shopKey = (await shopsOf(here))[service.otherShop.id]?.shop_key ?? '';
    expect(program.screen()).not.toContain(shopKey);
    expect(readFileSync(join(machine.directory, 'config.json'), 'utf8')).toContain(shopKey);
    const order = join(place, 'order.json');
    writeFileSync(order, JSON.stringify({ ...(await quotedOrder(service, {}, shopKey)), external_id: 'WEB-1' }));
    const shipped = await machine.run(['shipping', 'create', '--input', order, '--json']);
    expect(shipped.exit).toBe(0);
    expect(JSON.parse(shipped.stdout).order).toMatchObject({ external_id: 'WEB-1', shop_id: service.otherShop.id });
  });

  it('ends by Ctrl-C with 130, and leaves no page behind', async () => {
    const here = await world();
    const place = mkdtempSync(join(tmpdir(), 'shopctl-program-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    await bundleInto(place);
    const program = inTerminal(place, here.machine.directory, ['auth', 'login', '--no-browser']);
    await program.sees(/left\. Waiting/);
    program.type('\u0003');
    expect(await program.exit).toBe(130);
    expect(await shopsOf(here)).toEqual({});
  });
});

/** Builds the program as it stands, beside a package.json that it reads its version from. */
async function bundleInto(place: string): Promise<void> {
  writeFileSync(join(place, 'package.json'), '{"version":"0.0.0","type":"module"}');
  await build({
    entryPoints: ['src/process.ts'],
    outfile: join(place, 'dist', 'process.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  writeFileSync(join(place, 'run.js'), "import { runProcess } from './dist/process.js';\nawait runProcess();\n");
}

/** Runs the built program in a pseudo-terminal, by script(1). */
function inTerminal(place: string, settings: string, words: readonly string[]) {
  const command = [process.execPath, join(place, 'run.js'), ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', SHOPCTL_CONFIG_DIR: settings },
  });
  onTestFinished(() => void child.kill());
  let screen = '';
  const wishes = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    screen += chunk;
    for (const preference of wishes) preference();
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    exit,
    screen: () => screen,
    type: (text: string) => child.stdin.write(text),
    /** Resolves with the text on the screen that fits. */
    sees: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const [found] = pattern.exec(screen) ?? [];
          if (found === undefined) return;
          wishes.delete(look);
          resolve(found);
        };
        wishes.add(look);
        look();
        void exit.then((code) => reject(new Error(`the program ended with ${code}: ${screen}`)));
      }),
  };
}
