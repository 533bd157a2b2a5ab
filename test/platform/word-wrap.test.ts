import { expect, it } from 'vitest';
import { displayWidth } from '../../src/platform/terminal/text-width.ts';
import { fitLines } from '../../src/platform/terminal/word-wrap.ts';
import { testMachine } from '../support/context.ts';

const said = 'hint: set up a profile with `shopctl auth setup`, or set SHOPCTL_API_KEY to the key of the partner';

it('breaks lines between words, and stands in behind the first', () => {
  expect(fitLines(`${said}\nshort\n`, 60)).toBe(
    'hint: set up a profile with `shopctl auth setup`, or set\n  SHOPCTL_API_KEY to the key of the partner\nshort\n',
  );
});

it('fills a line up to the last column', () => {
  expect(fitLines('one two three', 7)).toBe('one two\n  three');
  expect(fitLines('one two three', 6)).toBe('one\n  two\n  three');
});

it('leaves lines as they are where there is not a terminal', () => {
  expect(fitLines(said, undefined)).toBe(said);
});

it.each([
  [
    'in backquotes',
    'continue with `shopctl ship --resume 845035fc9f --profile live`, once the network is back again',
    54,
  ],
  ['behind a colon', 'hint: shopctl profiles add NAME --base-url URL --kind partner', 58],
  [
    'before another sentence',
    'it may have happened: shopctl orders get 2795256910387001243; look there first of all',
    50,
  ],
])('keeps a command that is to be copied whole, %s', (_, text, width) => {
  const [command = ''] = /shopctl [^`;]*/.exec(text) ?? [];
  const lines = fitLines(text, width).split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.some((line) => line.includes(command))).toBe(true);
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
});

it('never breaks a command, also one that no line has room for', () => {
  const command = '  shopctl ship --input /home/lan/.local/state/shopctl/orders/845035fc9f.json --pick ABC --yes';
  expect(fitLines(command, 40)).toBe(command);
});

it('an error fits the terminal that it is shown on, and is one line anywhere else', async () => {
  const machine = testMachine(async () => {
    throw new Error('not called');
  });
  const words = ['orders', 'list', '--as', 'shop', '--base-url', 'http://127.0.0.1:9'];
  const { stderr } = await machine.run(words, { terminal: true, columns: 60 });
  expect(stderr).toContain('hint: ');
  for (const line of stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  const piped = (await machine.run(words)).stderr;
  expect(piped.split('\n').some((line) => line.length > 60)).toBe(true);
  expect(stderr.replace(/\n {2}/g, ' ')).toBe(piped);
});
