import { beforeAll, describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/cli/errors/advice.ts';
import { readCommand } from '../../../src/cli/program.ts';
import { wayToFindOut } from '../../../src/cli/report/find-out.ts';
import { forNoAccount, inScope } from '../../../src/cli/report/in-scope.ts';
import { openSession, type Session, settingsInForce } from '../../../src/cli/session/session.ts';
import { groups } from '../../../src/cli/tree/groups.ts';
import { vietnamese } from '../../../src/cli/vietnamese.ts';
import type { OperationId } from '../../../src/contract/operation-id.ts';
import { speak } from '../../../src/domain/language.ts';
import type { Settings } from '../../../src/platform/settings/settings.ts';
import { offlineContext } from '../../support/offline-context.ts';
import { copiedFrom } from './copied.ts';
import { wordsIn, wordsInPowerShell } from './pasted.ts';
import { NASTY, provokedTexts } from './provoked.ts';
import { templatesInSource } from './templates.ts';

/** Texts that begin like a command and are none: the name of a program, of a report, of a window. */
const noCommands = /\/(?:run-conformance|write-report|skeleton|authorization|screen)\.tsx?$|^console\/page\/texts/;

/** The webhook's own note of who made it. */
const isNote = (text: string) => text.startsWith('shopctl webhooks listen, ');

const SHOP = "Trà & Sữa's";

const settings: Settings = {
  version: 1,
  current_profile: NASTY,
  profiles: {
    [NASTY]: {
      kind: 'partner',
      base_url: 'https://here.example',
      api_key: '1:of-a-partner',
      shops: { '7': { shop_key: 'shop7:of-it', name: SHOP } },
    },
    there: {
      kind: 'partner',
      base_url: 'https://there.example',
      api_key: '1:of-a-partner',
      shops: { '9': { shop_key: 'shop9:of-it', name: SHOP } },
    },
    sandboxed: { kind: 'partner', base_url: 'http://127.0.0.1:4017', api_key: '1:of-a-partner', sandbox: NASTY },
  },
};

const sessionWith = (globals: Readonly<Record<string, string>>) =>
  openSession(offlineContext([], { settings }), globals);

let session: Session;
let texts: readonly string[];

beforeAll(async () => {
  session = await sessionWith({ shop: SHOP });
  const sandboxed = await sessionWith({ profile: 'sandboxed' });
  const english = await provokedTexts(session, sandboxed);
  speak(vietnamese, 0);
  texts = [...english, ...(await provokedTexts(session, sandboxed))];
  speak(undefined, 0);
});

/** Whether a text may have come of a template. */
function isOf(pieces: readonly string[], text: string): boolean {
  const fixed = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(fixed.join('[\\s\\S]*')).test(text);
}

/** Constant texts are printed as they stand. */
const constants = () => templatesInSource().flatMap(({ pieces }) => (pieces.length === 1 ? pieces : []));

const isPlaceholder = (word: string) => /^[A-Z]+$/.test(word);

/** Every command of every text, as it is printed where there are several profiles. */
const printed = () => [...texts, ...constants()].flatMap((text) => copiedFrom(inScope(text, session.scope)));

describe('commands that are printed', () => {
  it('are all provoked here: every template of the sources', () => {
    const templates = templatesInSource().filter(
      ({ file, pieces: [first = ''] }) => !noCommands.test(file) && !isNote(first) && !first.startsWith('<!doctype'),
    );
    expect(templates.length).toBeGreaterThan(60);
    const left = templates.filter(({ pieces }) => pieces.length > 1 && !texts.some((text) => isOf(pieces, text)));
    expect(left).toEqual([]);
  });

  it('stand where they can be copied: in backquotes, or alone on their line', () => {
    const all = [...texts, ...constants()].filter((text) => !isNote(text) && text.length < 400);
    const names = groups.map(({ name }) => name).join('|');
    const loose = all.filter((text) => new RegExp(`(?<!\`|^ *)shopctl (?:${names})\\b`, 'm').test(text));
    // One line says how to go on in another language, in its form: the language, then the command up to the end.
    const offer = /^Tiếng Việt: shopctl config set lang vi$/;
    expect(loose.filter((text) => !text.startsWith('<!doctype') && !offer.test(text))).toEqual([]);
  });

  it('are taken alike by bash, zsh and PowerShell, with every value whole', () => {
    const commands = printed();
    expect(commands.length).toBeGreaterThan(60);
    const inBash = wordsIn('bash', commands);
    expect(wordsIn('zsh', commands)).toEqual(inBash);
    expect(commands.map(wordsInPowerShell)).toEqual(inBash);
    const split = inBash.filter((words) => words.some((word) => word !== NASTY && /Gốm|Bát/.test(word)));
    expect(split).toEqual([]);
  });

  it('are commands with flags that exist, and act for the same account under another current profile', async () => {
    const elsewhere = { ...settings, current_profile: 'there' };
    const wanted = accountIn(session.settings);
    for (const words of wordsIn('bash', printed())) {
      const typed = await readCommand(words);
      if (typed.kind !== 'command') throw new Error(`not a command: ${words.join(' ')}`);
      const line = words.join(' ');
      if (forNoAccount.test(line) || words.includes('there') || words.some(isPlaceholder)) continue;
      const { shop, ...account } = accountIn(settingsInForce(elsewhere, typed.globals, {}));
      // What is in another shop names it.
      const ofAnother = typed.globals.shop === NASTY ? { shop: NASTY } : {};
      expect({ line, ...account, shop: shop ?? wanted.shop }).toEqual({ line, ...wanted, ...ofAnother });
    }
  });
});

const accountIn = ({ profileName, baseUrl, as, shop }: Session['settings']) => ({
  profile: profileName?.value,
  url: baseUrl?.value,
  as: as?.value,
  shop: shop?.value,
});

it('counts no command as one for no account that needs a key, the service or the workspace', async () => {
  const loaded = await Promise.all(groups.map(({ load }) => load()));
  const actions = loaded.flatMap(({ commands }) => commands.flatMap(({ actions }) => actions));
  const wrong = actions.filter(
    ({ words, needs }) =>
      forNoAccount.test(words.join(' ')) && needs.some((need) => ['service', 'key', 'workspace'].includes(need)),
  );
  expect(wrong.map(({ words }) => words.join(' '))).toEqual([]);
});

it('quotes whatever a name holds so that bash and zsh give it back', () => {
  const names = [
    "it's",
    'a b',
    '$HOME',
    '`id`',
    'a"b',
    `both ' and "`,
    "o'$x",
    '~',
    '=ls',
    'a,b',
    '@file',
    '!1',
    '\\',
    '*',
    '#x',
    '',
    '-a',
  ];
  const commands = names.map((name) => `shopctl ${shellWord(name)}`);
  expect(wordsIn('bash', commands)).toEqual(names.map((name) => [name]));
  expect(wordsIn('zsh', commands)).toEqual(names.map((name) => [name]));
});

describe('the account in a command', () => {
  it('is left out where there is only one', async () => {
    const [[name, profile] = ['', undefined]] = Object.entries(settings.profiles);
    const alone = { ...settings, profiles: profile === undefined ? {} : { [name]: profile } };
    const { scope } = await openSession(offlineContext([], { settings: alone }), {});
    expect(inScope('go on with `shopctl batch resume`', scope)).toBe('go on with `shopctl batch resume`');
  });

  it('is that of the line, and comes before what is for the shell', async () => {
    const { scope } = await sessionWith({ profile: 'there', as: 'shop', 'base-url': 'https://x.example' });
    expect(inScope('`shopctl api x -- y` and\n  shopctl orders list', scope)).toBe(
      '`shopctl api x --profile there --as shop --base-url https://x.example -- y` and\n  shopctl orders list --profile there --as shop --base-url https://x.example',
    );
    expect(inScope('`shopctl orders list --profile other`', scope)).toContain('list --profile other --as shop');
  });

  it('is not added to what only looks like a command', async () => {
    const text = 'shopctl cannot ask here: see `shopctl help input` or `shopctl profiles list`';
    expect(inScope(text, session.scope)).toBe(text);
  });

  it('ask of a cancel whether it was applied, and of a create whether there is a record', async () => {
    const reported = (operation: OperationId) => wayToFindOut({ operation, outcome: 'unknown', names: { id: '7' } });
    expect(await reported('shop.Order/CancelOrder')).toMatch(/^`shopctl orders get 7` shows whether it was applied;/);
    expect(await reported('shop.Order/CreateOrder')).toContain('shows whether it was created');
  });
});
