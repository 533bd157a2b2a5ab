import { action } from '../../action/action.ts';
import { Refusal } from '../../client/refusal.ts';
import { record, text } from '../../contract/schema/scalars.ts';
import { isPostgresAddress, withoutPassword } from '../../store/postgres/postgres-address.ts';
import { mirrorPlace, originInForce, requireNoOtherShop } from './place.ts';

/** `mirror forget`. */
export const forget = action({
  id: 'mirror.forget',
  words: ['mirror', 'forget'],
  summary: 'Delete the mirror',
  description:
    'A sync makes it again, except for `history`: the earlier versions of records are deleted for good. Payment files and batches are in the workspace and stay.',
  examples: ['shopctl mirror forget --yes'],
  effect: 'local',
  needs: [],
  destructive: true,
  input: record({}),
  output: record({ forgotten: text('The mirror that was deleted; null if there was none') }),
  caution: async (_, ports) =>
    `this deletes the mirror of ${originInForce(ports)}, and with it the history of its records, which no sync brings back`,
  async run(_, ports) {
    // A damaged mirror does not tell whose records it has; deleting it is the way out.
    await requireNoOtherShop(ports).catch((error) => {
      if (error instanceof Refusal) throw error;
    });
    const place = mirrorPlace(ports);
    const shown = isPostgresAddress(place) ? withoutPassword(place) : place;
    ports.intend({ forget: shown });
    const { forgetMirror } = await import('../index.ts');
    const was = await forgetMirror(place, originInForce(ports), ports.signal);
    ports.report.notice(
      was
        ? `The mirror was deleted, and with it the earlier versions of its records: ${ports.front.advise('sync_mirror')} again`
        : 'There was no mirror: nothing was deleted',
    );
    return { forgotten: was ? shown : null };
  },
});
