import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { bothGiven, Refusal } from '../../client/refusal.ts';
import { flag, int, list, record, text } from '../../contract/schema/scalars.ts';
import { say } from '../texts.ts';
import { type AtMirror, atMirror, requireMirror, requireOwnKey, rollupZone } from './place.ts';
import { checkAreas, heldMirror } from './sync.ts';

const DEFAULT_SAMPLE = 200;

const row = z.object({
  area: text('Name of the area or rollup, and of its table'),
  id: text('Id of the record'),
  field: text('The field that differs; record if one side does not have it at all'),
  mirror: z.nullable(text('What the mirror has; null if nothing')),
  service: z.nullable(text('What the service has; null if nothing')),
});

/** Says which lists were never copied whole. Throws a Refusal if one of them was asked for by its name, or if none was. */
function tellNever(
  { copied, never }: { readonly copied: readonly string[]; readonly never: readonly string[] },
  isNamed: boolean,
  { report }: Ports,
): void {
  if (never.length === 0) return;
  const said = say().verify.never({ areas: never });
  if (isNamed || copied.length === 0) {
    throw new Refusal('mirror_area_missing', said, { kind: 'missing', facts: { areas: never } });
  }
  report.notice(said);
}

/** `mirror verify`. */
export const verify = action({
  id: 'mirror.verify',
  words: ['mirror', 'verify'],
  summary: 'Compare the mirror with the service, record by record',
  description: [
    `Reads from the service and compares every field with the columns that SQL reads. Records that changed after the last sync are left out, and what differs is read a second time before it is reported. Exits with 11 if anything differs. Without --all, a sample of ${DEFAULT_SAMPLE} records per area is compared.`,
    'Without --area, the rollups are computed again from the records and compared too. `mirror sync --full` repairs what differs.',
  ].join('\n\n'),
  examples: [
    'shopctl mirror verify',
    'shopctl mirror verify --all',
    'shopctl mirror verify --area orders --sample 500',
  ],
  effect: 'store',
  undo: { whyNot: 'it only notes what it found' },
  needs: ['key'],
  page: 'allowed',
  input: record({
    area: list(text('an area'), 'only this area, by the name of its table; repeats; all when absent'),
    sample: int(`compare this many records per area, chosen at random; ${DEFAULT_SAMPLE} when absent`, 'records'),
    all: flag('compare every record'),
  }),
  hints: { area: { placeholder: 'NAME', from: 'path' } },
  output: list(row, 'A difference each'),
  view: {
    columns: [
      { path: 'area' },
      { path: 'id', cut: 'never' },
      { path: 'field' },
      { path: 'mirror' },
      { path: 'service', kind: 'text' },
    ],
    name: 'id',
  },
  async run(given, ports) {
    const areas = given.area ?? [];
    await checkAreas(areas);
    if (given.all === true && typeof given.sample === 'number') throw bothGiven('all', 'sample');
    if (typeof given.sample === 'number' && given.sample < 1) {
      const message = say().verify.atLeastOne;
      throw new Refusal('invalid_input', say().field({ field: 'sample', what: message }), {
        fieldErrors: [{ path: 'sample', message }],
      });
    }
    requireOwnKey(ports);
    requireMirror(ports, 'compare');
    const { callsToVerify, listsToVerify, shownValue, verifyAreas } = await import('../index.ts');
    ports.intend({ verify: areas.length === 0 ? 'all areas' : areas });
    const work = ({ mirror, shopId }: AtMirror) =>
      heldMirror(mirror, async () => {
        const { clock, signal, progress, report, random } = ports;
        const setup = {
          mirror,
          connection: ports.connection(),
          shopId,
          clock,
          signal,
          areas,
          random,
          timeZone: rollupZone(ports),
          sample: given.all === true ? ('all' as const) : (given.sample ?? DEFAULT_SAMPLE),
        };
        tellNever(await listsToVerify(setup), areas.length > 0, ports);
        if (given.all === true) report.say(say().verify.takes({ calls: await callsToVerify(setup) }));
        const rows: z.output<typeof row>[] = [];
        let compared = 0;
        await progress.during(async () => {
          for await (const area of verifyAreas(setup)) {
            compared += area.compared;
            progress.came(compared);
            for (const { mirror: mirrored, service, ...rest } of area.differences) {
              rows.push({ ...rest, mirror: shownValue(mirrored), service: shownValue(service) });
            }
          }
        });
        if (rows.length > 0) {
          report.verdict('different');
          report.notice(say().verify.differs({ compared, advice: ports.ui.advise('repair_mirror') }));
        } else report.notice(say().verify.equal({ compared }));
        return rows;
      });
    return atMirror(ports, work, { worksLong: true });
  },
});
