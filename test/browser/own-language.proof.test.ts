/* What the console's page says comes from a catalogue: its own scripts and what it was answered, in the tests' own language. */
import { extname } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import * as enums from '../../src/contract/enums.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { openedConsole } from '../console/opened-console.ts';
import { testMachine } from '../support/context.ts';
import { leftWords } from '../support/left-words.ts';
import { pseudoLanguage } from '../support/pseudo.ts';
import { fits, inBrowser, pagesOfThisFile, phone } from './pages.ts';

const openPage = pagesOfThisFile();

/** The page's script, with the tests' own language in front of it, and its style. */
async function pseudoPage(): Promise<Readonly<Record<string, string>>> {
  const { outputFiles } = await build({
    stdin: {
      contents: ['test/support/pseudo-page.ts', 'src/console/page/main.tsx', 'src/console/page/page.css']
        .map((file) => `import './${file}';`)
        .join(''),
      resolveDir: '.',
    },
    outdir: '.',
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [extname(path), text]));
}

/** Every text of the page, a line each: what stands in it, what its fields say while they are blank, and what is read aloud. */
const textsOn = (page: Page) =>
  page.evaluate(`(() => {
    const said = [];
    const walker = document.createTreeWalker(document.getElementById('console'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: of, data } = walker.currentNode;
      if (of.closest('code, pre, .command') === null) said.push(data);
    }
    for (const each of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      for (const name of ['aria-label', 'placeholder', 'title']) said.push(each.getAttribute(name) ?? '');
    return said.join('\\n');
  })()`) as Promise<string>;

const words: ReadonlySet<string> = new Set(Object.values(enums).flatMap((one) => Object.values(one)));

/** The texts of a value, but for those that are one of a few. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return words.has(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/**
 * What is typed, names of formats, zones and errors that people know as they are, and data of the shop that no list has. Data is
 * Vietnamese, and texts of the tests' language are English.
 */
const typed = [
  'shopctl sandbox shop http Asia/Ho_Chi_Minh POST id csv xlsx jsonl NS cm file File Email Id one pid console default',
  'ghtk ghn vtp vtpay platform auto name email report order not found basket_value total_discount total_fee meta environment instance Demo Shop shops svg website',
  'customers products variants collections customer_addresses customer_groups customer_group_members collection_members',
  'inventory_levels shipnow_fulfillments reset San Hô Nha Trang Thông Reo Linh Cho quen Cao Cai La Kon Tum Mau',
  /[0-9a-f]{20,}/g,
  /[a-z]*[^\P{L}A-Za-z]\p{L}*|\b[A-Z]\w+\/[A-Z]\w+|\b(?:invalid_request|usage|not_found|mirror(?:_area)?_missing)\b/giu,
];

inBrowser('in a browser', () => {
  it('everything that the console says comes from a catalogue, and fits a phone: lists, records, forms, results and errors', async () => {
    const { transport, close } = createTransport();
    onTestFinished(close);
    const machine = testMachine(transport);
    const started = { command: ['sandbox', 'start'], spoken: pseudoLanguage };
    const { origin, cookie } = await openedConsole(machine, ['--ephemeral', '--seed', 'demo'], started);
    // A command says for all of its process what is spoken.
    const speaking = globalThis.shopctlSpeaking;
    const listed: string[] = [];
    for (const group of ['orders', 'fulfillments', 'customers', 'products', 'variants']) {
      const { stdout } = await machine.run([group, 'list', '--all', '-o', 'json', '--profile', 'sandbox-shop']);
      listed.push(...textsOf(JSON.parse(stdout)));
    }
    globalThis.shopctlSpeaking = speaking;
    const { page, complaints } = await openPage(phone);
    page.context().setDefaultTimeout(90_000);
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url: origin }]);
    const built = await pseudoPage();
    for (const [kind, contentType] of [
      ['.js', 'text/javascript'],
      ['.css', 'text/css'],
    ] as const) {
      const body = built[kind] ?? '';
      await page.route(`**/assets/page${kind}*`, (route) => route.fulfill({ contentType, body }));
    }
    await page.route('**/icon.svg*', (route) => route.fulfill({ path: 'src/console/page/icon.svg' }));
    const seen: string[] = [];
    const left: Record<string, readonly string[]> = {};
    const look = async (what: string) => {
      await page.locator('main h1').waitFor();
      await expect.poll(() => page.locator('[role=status]').filter({ hasText: '…' }).count()).toBe(0);
      seen.push(what);
      const text = await textsOn(page);
      const found = leftWords(text.replaceAll(/“⟦[^⟦⟧]*⟧”/g, ''), [...listed, ...typed]);
      if (found.length > 0) left[what] = found;
      expect([what, await fits(page)]).toEqual([what, true]);
    };
    const at = async (address: string) => {
      await page.goto(`${origin}${address}`);
      await look(address);
    };
    const submit = page.locator('.act button[type=submit]');
    /** Opens each action of the screen, and asks for what a form that nobody has filled in leads to. */
    const tryActions = async (address: string) => {
      const folded = page.locator('details.acts:not([open]) > summary');
      if (await folded.isVisible()) await folded.click();
      const acts = page.locator('.acts button');
      for (let act = 0; act < (await acts.count()); act += 1) {
        await acts.nth(act).click();
        await submit.waitFor();
        await look(`form ${act} of ${address}`);
        await submit.click();
        await page.locator('.act [aria-live] > *').first().waitFor();
        await look(`form ${act} of ${address} without a value`);
        await page.locator('.act button[type=submit] + button').click();
        if (await folded.isVisible()) await folded.click();
      }
    };
    await at('/');
    const screens = await page
      .locator('.screens a')
      .evaluateAll((links) => links.map((link) => String(Object(link).pathname)));
    for (const address of [...screens, '/orders/123', '/nothing']) {
      await at(address);
      const record = page.locator('main tbody a').first();
      if (await record.isVisible()) {
        await record.click();
        await look(`a record of ${address}`);
        await page.goBack();
        await look(address);
      }
      await tryActions(address);
    }
    expect(seen.length).toBeGreaterThan(120);
    expect(left).toEqual({});
    expect(complaints).toEqual([]);
  });
});
