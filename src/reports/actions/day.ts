import * as z from 'zod';
import { action } from '../../action/action.ts';
import { invalidInput } from '../../client/refusal.ts';
import { flag, int, list, oneOf, record, text, time } from '../../contract/schema/scalars.ts';
import { agoText, momentInZone } from '../../domain/calendar.ts';
import { atReports } from './report.ts';
import { isReportDay, REPORT_DAY } from './report-input.ts';

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

/** `day`. */
export const day = action({
  id: 'day',
  words: ['day'],
  summary: 'Show the day on one screen',
  description:
    'From the mirror: `shopctl mirror sync --watch` in another terminal keeps it current. --watch redraws the lines that changed until Ctrl-C; without a terminal it prints one page. A page is as wide as the terminal, or as COLUMNS says. Exits with 0 whatever it finds.',
  examples: ['shopctl day', 'shopctl day 2026-11-22', 'shopctl day --watch'],
  effect: 'read',
  needs: ['key'],
  page: 'allowed',
  input: record({
    date: text('the day, YYYY-MM-DD; today when absent'),
    tz: text('time zone of the days; that of the setting tz when absent'),
    watch: flag('redraw it as the mirror changes, until Ctrl-C'),
  }),
  positional: ['date'],
  hints: {
    date: { placeholder: 'DATE', from: 'path' },
    tz: { placeholder: 'ZONE', from: 'path' },
    watch: { page: 'never' },
  },
  output: z.object({
    day: text('The day'),
    tz: text('Time zone of the days'),
    complete_until: time("The moment up to which the mirror is complete, by the service's clock"),
    figures: list(figure, 'The figures'),
  }),
  view: {
    columns: [
      { path: 'figure' },
      { path: 'value', header: 'now', kind: 'number' },
      { path: 'before', header: 'day before', kind: 'number' },
      { path: 'trend', header: '14 days', kind: 'trend', optional: true },
      { path: 'unit', optional: true },
    ],
    name: 'figure',
    list: 'figures',
    screen: true,
  },
  async run({ date, tz, watch }, ports) {
    if (typeof date === 'string' && !isReportDay(date)) throw invalidInput([{ path: 'date', message: REPORT_DAY }]);
    const asked = { day: date ?? undefined, timeZone: tz ?? ports.settings.tz.value };
    const { clock, person, report, signal } = ports;
    const { dayOfShop } = await import('../index.ts');
    return atReports(ports, async ({ mirror, shopId }) => {
      for (let shown = ''; ; ) {
        const { shown: value, copiedAt } = await dayOfShop(mirror, shopId, asked);
        const fresh = momentInZone(Date.parse(value.complete_until), value.tz);
        const heading = `${value.day}, complete up to ${fresh} (${value.tz}), copied ${agoText(clock.now() - copiedAt)}`;
        const isLast = watch !== true || !person.readsResult || signal.aborted;
        if (isLast || JSON.stringify(value) !== shown) report.notice(heading);
        if (isLast) return value;
        if (JSON.stringify(value) !== shown) await report.result(value);
        shown = JSON.stringify(value);
        await clock.wait(CHECK_EVERY_MS, signal).catch(() => {});
      }
    });
  },
});
