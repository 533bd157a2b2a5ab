import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { invalidInput } from '../../client/refusal.ts';
import { flag, int, list, oneOf, record, text } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { addDays, dayInZone, momentInZone } from '../../domain/calendar.ts';
import { dayText } from '../../domain/language.ts';
import type { AtMirror } from '../../mirror/actions/place.ts';
import type { DayOfShop } from '../day.ts';
import { dayLists } from '../declared/now.ts';
import { type Report, unitWord } from '../declared/report.ts';
import type { ReportResult } from '../run-report.ts';
import { say } from '../texts.ts';
import { afterCopy, copiedText, output, paidOf, tableView, tellPaid } from './report.ts';
import { listed, reportDay, reportsNamed } from './report-input.ts';
import { inWords } from './write-report.ts';

/** How often a page that is watched is computed again. */
const CHECK_EVERY_MS = 1000;

const figure = z.object({
  figure: text('What it is'),
  about: oneOf(['day', 'now'], 'Whether it is of the day, or of the present moment'),
  value: int('The figure', 'unit'),
  before: z.nullable(int('The day before; null for a figure of the present', 'unit')),
  unit: text('What it counts'),
  trend: list(int('A day', 'unit'), 'The last 14 days, the day itself last; empty for a figure of the present'),
});

/** The figures of today are those of this moment. */
const figuresView = (date: unknown): View => ({
  columns: [
    { path: 'figure' },
    { path: 'value', header: typeof date === 'string' ? 'value' : 'now', kind: 'number' },
    { path: 'before', header: 'day before', kind: 'number' },
    { path: 'trend', header: '14 days', kind: 'trend', optional: true },
    { path: 'unit', optional: true },
  ],
  name: 'figure',
  list: 'figures',
  screen: true,
});

const [firstList = '', ...otherLists] = dayLists.map(({ name }) => name);

/** The records that a word lists: those of a figure, or of a report that has a list. */
const recordsOf = (word: string): Report | undefined =>
  dayLists.find(({ name }) => name === word) ?? reportsNamed(word, true)[0];

/** What is shown: the figures of a day, or the records that one of them counts. */
async function pageOf(
  { mirror, shopId }: AtMirror,
  {
    list: name,
    ...asked
  }: { readonly day: string | undefined; readonly timeZone: string; readonly list?: string | undefined },
) {
  const { dayOfShop, prepareReport, runReport, spanText } = await import('../index.ts');
  const records = name === undefined ? undefined : recordsOf(name);
  if (records === undefined) {
    const { shown: value, copiedAt } = await dayOfShop(mirror, shopId, asked);
    const fresh = momentInZone(Date.parse(value.complete_until), value.tz);
    const texts = say().span;
    const heading = texts.day({ day: dayText(value.day), fresh: texts.fresh({ moment: fresh, zone: value.tz }) });
    return { value, copiedAt, heading };
  }
  const ask = { report: records, timeZone: asked.timeZone };
  const day = asked.day ?? (await prepareReport(mirror, shopId, ask)).scope.today;
  const prepared = await prepareReport(mirror, shopId, { ...ask, since: day, until: addDays(day, 1) });
  const value = await runReport(mirror, prepared);
  return { value, copiedAt: prepared.copiedAt, heading: `${records.words().title}: ${spanText(records, value)}` };
}

/** A page as people read it; beside figures of a day that is over, those of the present say so. */
function pageInWords(value: DayOfShop | ReportResult, list: string | null | undefined, isForPeople: boolean) {
  if (!('figures' in value)) {
    const records = recordsOf(list ?? '');
    return records === undefined ? value : inWords(records, value);
  }
  const isOver = value.day < dayInZone(Date.parse(value.complete_until), value.tz);
  const figures = value.figures.map((one) => {
    const figure = say().figure[one.figure] ?? one.figure;
    const isMarked = isForPeople && isOver && one.about === 'now';
    return { ...one, figure: isMarked ? say().ofNow({ figure }) : figure, unit: unitWord(one.unit) };
  });
  return { ...value, figures };
}

/** Says what the amounts of a page are made of: payment files may know more of the cash that the platform has not settled. */
async function tellMoney(value: DayOfShop | ReportResult, list: string | null | undefined, at: AtMirror, ports: Ports) {
  const { report, ui } = ports;
  const records = recordsOf(list ?? '');
  if (records !== undefined) return tellPaid(records, at, ports);
  if (!('figures' in value)) return;
  const amountOf = (wanted: string) => value.figures.find(({ figure: name }) => name === wanted)?.value ?? 0;
  const [fees, owed] = [amountOf('delivery fees'), amountOf('cash outstanding')];
  if (fees !== 0) report.notice(say().notice.fees({ fees }));
  if (owed === 0) return;
  const paid = await paidOf(at, ports);
  report.notice(say().notice.owed({ owed, paid, advice: ui.advise('compare_payments') }));
}

/** `day`. */
export const day = action({
  id: 'day',
  words: ['day'],
  summary: 'Show the day on one screen',
  description:
    'From the mirror, which is made at the first time on a terminal: `shopctl mirror sync --watch` in another one keeps it current. --watch redraws the lines that changed until Ctrl-C; without a terminal it prints one page. A page is as wide as the terminal, or as COLUMNS says. Exits with 0 whatever it finds.',
  examples: ['shopctl day', 'shopctl day 2026-11-22', 'shopctl day --list late-pickups', 'shopctl day --watch'],
  effect: 'read',
  agents: 'read',
  needs: ['key'],
  page: 'allowed',
  input: record({
    date: text('the day: 2026-11-22, 22/11/2026 or yesterday; today when absent'),
    tz: text('time zone of the days; that of the setting tz when absent'),
    list: oneOf(
      [firstList, ...otherLists, ...listed],
      'list what is behind a figure instead, with recipient and phone',
    ),
    watch: flag('redraw it as the mirror changes, until Ctrl-C'),
  }),
  positional: ['date'],
  hints: {
    date: { placeholder: 'DATE', from: 'path' },
    tz: { placeholder: 'ZONE', from: 'path' },
    watch: { page: 'never' },
  },
  output: record({ day: text('The day'), figures: list(figure, 'The figures'), ...output.shape }),
  view: ({ list, date }) => {
    const records = typeof list === 'string' ? recordsOf(list) : undefined;
    return records === undefined ? figuresView(date) : { ...tableView(records), screen: true };
  },
  async run({ date, tz, watch, list: listOf }, ports) {
    const timeZone = tz ?? ports.settings.tz.value;
    const given = typeof date === 'string' ? reportDay(date, dayInZone(ports.clock.now(), timeZone), ports) : undefined;
    if (typeof date === 'string' && given === undefined)
      throw invalidInput([{ path: 'date', message: say().unfit.day }]);
    if (typeof date === 'string' && typeof listOf === 'string' && recordsOf(listOf)?.about === 'now')
      throw invalidInput([{ path: 'date', message: say().unfit.listOfNow({ name: listOf }) }]);
    const { clock, person, report, signal } = ports;
    const isForPeople = ports.settings.output.value === 'table';
    const inPage = (value: DayOfShop | ReportResult) => pageInWords(value, listOf, isForPeople);
    return afterCopy(ports, async (at) => {
      for (let shown = ''; ; ) {
        const { value, heading, copiedAt } = await pageOf(at, { day: given, timeZone, list: listOf ?? undefined });
        const isLast = watch !== true || !person.readsResult || signal.aborted;
        if (isLast || JSON.stringify(value) !== shown)
          report.notice(copiedText(copiedAt, ({ age }) => say().span.copied({ what: heading, age }), ports));
        if (isLast) {
          await tellMoney(value, listOf, at, ports);
          return inPage(value);
        }
        if (JSON.stringify(value) !== shown) await report.result(inPage(value));
        shown = JSON.stringify(value);
        await clock.wait(CHECK_EVERY_MS, signal).catch(() => {});
      }
    });
  },
});
