import * as z from 'zod';
import { action } from '../../action/action.ts';
import { int, list, record, text, time } from '../../contract/schema/scalars.ts';
import { atMirror, mirroredAccount, mirrorPlace } from './place.ts';

const row = z.object({
  area: text('Name of the area, and of its table'),
  records: int('Records that are not deleted', 'records'),
  newest: z.nullable(time('Newest change of a record; null if its records have no time')),
  complete_until: z.nullable(time("The moment up to which it is complete, by the service's clock; null if it is not")),
  verified_through: z.nullable(time('The moment up to which it was compared with the service; null if it never was')),
  age_seconds: z.nullable(int('How long ago the last copy began; null if it was never copied', 's')),
});

/** `mirror status`. */
export const status = action({
  id: 'mirror.status',
  words: ['mirror', 'status'],
  summary: 'Show how fresh the mirror is',
  examples: ['shopctl mirror status', 'shopctl mirror status -o json'],
  effect: 'read',
  needs: ['key'],
  page: { beside: 'day' },
  input: record({}),
  output: list(row, 'An area each'),
  view: {
    columns: [
      { path: 'area' },
      { path: 'records', kind: 'number' },
      { path: 'newest', kind: 'time', optional: true },
      { path: 'complete_until', header: 'complete until', kind: 'time' },
      { path: 'verified_through', header: 'verified through', kind: 'time', optional: true },
      { path: 'age_seconds', header: 'age (s)', kind: 'number' },
    ],
    name: 'area',
  },
  async run(_, ports) {
    const { areaStatus, mirrorExists } = await import('../index.ts');
    if (!mirrorExists(mirrorPlace(ports))) {
      ports.report.notice(`nothing was copied yet: ${ports.front.advise('sync_mirror')}`);
      return [];
    }
    return atMirror(ports, async ({ mirror, shopId }) => {
      const areas = await areaStatus(mirror, shopId, ports.clock.now());
      if (areas.every(({ complete_until }) => complete_until === null)) {
        const isBegun = areas.some(({ records }) => records > 0);
        const { family } = await mirroredAccount(ports);
        const goesOn =
          family === 'partner'
            ? "a partner's key copies the orders that it knows, and no whole list"
            : 'the first copy is not complete yet; it continues where it stopped';
        ports.report.notice(`${isBegun ? goesOn : 'nothing was copied yet'}: ${ports.front.advise('sync_mirror')}`);
      }
      return areas;
    });
  },
});
