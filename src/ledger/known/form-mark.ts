import type { LedgerOpener } from '../intents/drafts.ts';
import type { LedgerStore } from '../store/intents.ts';
import { latestReport } from '../store/intents.ts';

/** The mark of a form of whose ledger nothing is known: whatever was reported was reported since. */
const UNKNOWN = ' -1';

/** The ledger whose reports are numbered: another one after a copy from earlier was put back, which has those numbers again. */
const numbering = ({ id, putBack }: Pick<LedgerStore, 'id' | 'putBack'>) =>
  putBack === undefined ? id : `${id}/${putBack}`;

/**
 * What a form is given when it is opened, and again when its result was shown: the ledger, and the number of its latest
 * report, so that no clock says what was reported since.
 */
export async function formMark({ openIfThere }: Pick<LedgerOpener, 'openIfThere'>): Promise<string> {
  const store = await openIfThere().catch(() => 'unknown' as const);
  if (store === 'unknown') return UNKNOWN;
  if (store === undefined) return ' 0';
  return store
    .read(latestReport)
    .then(
      (latest) => `${numbering(store)} ${latest}`,
      () => UNKNOWN,
    )
    .finally(() => store.close().catch(() => {}));
}

/** The latest report when a form was opened; before all of them if that was at another ledger. */
export function reportsBefore(mark: string, store: Pick<LedgerStore, 'id' | 'putBack'>): number {
  const [ledger, latest = ''] = mark.split(' ');
  return (ledger === numbering(store) || ledger === '') && /^-?\d+$/.test(latest) ? Number(latest) : -1;
}
