import { describe, expect, it } from 'vitest';
import { type JunitCase, junitReport } from '../../src/platform/server/junit.ts';
import { makeSafe } from '../../src/platform/terminal/text-safety.ts';
import { fc } from '../support/fast-check.ts';
import { readJunit } from '../support/read-junit.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '</failure>',
    ']]>',
    '<!--',
    '&amp;',
    '"\'<>&',
    '\u0000\u001b[2J',
    '\ufffe\uffff',
    'a\tb\nc\r\nd',
    '\ud800',
  ),
);

const cases = fc.array(
  fc.record(
    {
      group: text,
      name: text,
      milliseconds: fc.nat(100_000),
      failures: fc.array(fc.record({ message: text, detail: text }), { maxLength: 2 }),
      skipped: text,
    },
    { requiredKeys: ['group', 'name', 'failures'] },
  ),
);

/** What a text of a report is read as: hidden characters by name, and none that XML does not have. */
const read = (given: string, layout: 'show' | 'keep' = 'show') =>
  makeSafe(given, layout).replace(/[\ufffe\uffff]/g, '\ufffd');

const readCase = ({ group, name, milliseconds, failures, skipped }: JunitCase) => ({
  classname: read(group),
  name: read(name),
  time: milliseconds === undefined ? undefined : (milliseconds / 1000).toFixed(3),
  failures: failures.map(({ message, detail }) => ({ message: read(message), text: read(detail, 'keep') })),
  skipped: skipped === undefined ? undefined : read(skipped),
});

describe('a JUnit report', () => {
  it('is XML that reads back as what was reported, whatever the texts hold', () => {
    fc.assert(
      fc.property(text, cases, (suite, given) => {
        const xml = junitReport(suite, given);
        expect(xml).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
        const report = readJunit(xml);
        expect(report.cases).toEqual(given.map(readCase));
        expect(report.counts).toMatchObject({
          name: read(suite),
          tests: String(given.length),
          failures: String(given.filter(({ failures }) => failures.length > 0).length),
          skipped: String(given.filter(({ skipped }) => skipped !== undefined).length),
        });
      }),
    );
  });

  it('says how long it all took where the cases say so, and nothing where none does', () => {
    const one = { group: 'g', name: 'n', failures: [] };
    expect(readJunit(junitReport('s', [{ ...one, milliseconds: 1500 }, one])).counts.time).toBe('1.500');
    expect(readJunit(junitReport('s', [one])).counts.time).toBeUndefined();
  });
});
