import { describe, expect, it } from 'vitest';
import { globalFlags } from '../../src/cli/line/globals.ts';
import { formatAsked, readLine } from '../../src/cli/line/line.ts';
import { runProgram } from '../../src/cli/program.ts';
import { run } from '../../src/main.ts';
import { fc } from '../support/fast-check.ts';
import { flagExamples } from '../support/flag-examples.ts';
import { offlineContext } from '../support/offline-context.ts';

describe('a line', () => {
  it.each([
    [['-qo', 'json', 'orders', 'list'], ['orders', 'list'], { quiet: true, output: 'json' }],
    [['-yo', 'json', 'orders', 'list'], ['orders', 'list'], { yes: true, output: 'json' }],
    [['-ojson', 'orders'], ['orders'], { output: 'json' }],
    [['--output=csv', 'orders', '--', '-q', 'more'], ['orders'], { output: 'csv' }],
    [['--fields', 'orders', 'list'], ['list'], { fields: 'orders' }],
    [['orders', 'list', '--fields', '-q'], ['orders', 'list'], { fields: true, quiet: true }],
    [['orders', '-o'], ['orders'], {}],
  ])('%j has its words and its global flags', (argv, words, globals) => {
    expect(readLine(argv)).toEqual({ words, globals });
  });

  it('tells how errors are wanted: a line of JSON with json and jsonl, text with every other format', () => {
    const json = (...argv: string[]) => formatAsked(readLine(argv), {}).errorsAsJson === true;
    expect([json('-qo', 'json'), json('--json'), json('-ojsonl'), json('-o', 'csv'), json()]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(formatAsked(readLine([]), { SHOPCTL_OUTPUT: 'json' }).errorsAsJson).toBe(true);
  });

  it('reports an error as JSON behind a cluster of flags, and finds the command behind one', async () => {
    const wrong = offlineContext(['-qo', 'json', 'orders', 'nothing']);
    expect(await run(wrong)).toBe(2);
    expect(JSON.parse(wrong.stderr.text).error.code).toBe('usage');
    const limited = offlineContext(['-yo', 'json', 'orders', 'list', '--limit', 'many']);
    expect(await run(limited)).toBe(2);
    expect(JSON.parse(limited.stderr.text).error.message).toBe('--limit must be an integer');
  });
});

const values = flagExamples({ profile: 'test', 'base-url': 'http://127.0.0.1:1' });

/** Spellings of one flag that has a value or is a switch. */
const spelling = fc
  .constantFrom(...globalFlags.filter(({ name }) => !['help', 'version', 'fields', 'curl', 'json'].includes(name)))
  .chain(({ name, short, value }) => {
    const text = values[name] ?? 'id';
    const long = value === undefined ? [[`--${name}`]] : [[`--${name}`, text], [`--${name}=${text}`]];
    const brief =
      short === undefined
        ? []
        : value === undefined
          ? [[`-${short}`], [`-q${short}`]]
          : [[`-${short}`, text], [`-q${short}`, text], [`-q${short}${text}`]];
    return fc.constantFrom(...long, ...brief);
  });

it('is read early as commander reads it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spelling, { maxLength: 5 }), fc.boolean(), async (flags, before) => {
      const own = ['config', 'list'];
      const argv = before ? [...flags.flat(), ...own] : [...own, ...flags.flat()];
      const line = readLine(argv);
      const profile = { kind: 'partner', base_url: 'http://127.0.0.1:1' } as const;
      const context = offlineContext(argv, { settings: { version: 1, profiles: { test: profile } } });
      const outcome = await runProgram(context);
      expect(outcome.kind === 'result' && outcome.session.globals).toEqual(line.globals);
      expect(line.words).toEqual(own);
    }),
    { numRuns: 200 },
  );
});
