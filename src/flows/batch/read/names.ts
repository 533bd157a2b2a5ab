import { accountText } from '../../../client/account.ts';
import type { EarlierRow } from '../../../workspace/rows/rows.ts';
import type { BatchDesk } from '../desk.ts';
import type { RowWork } from '../row-work.ts';
import { type Identity, numbered } from './identity.ts';

/** A row with its name. */
export interface NamedRow {
  readonly identity: Identity;
  readonly name: string;
  /** The row of an earlier batch that this one is: the same name, or the same content where that counts. */
  readonly earlier?: EarlierRow;
  /** Whether an earlier batch has an equal row, and the user has not said what that means. */
  readonly shared?: boolean;
}

/** How rows without a name of their own relate to rows of earlier batches. */
export interface Meeting {
  /** The number of the batch whose equal rows these are. */
  readonly continues?: number | undefined;
  /** Whether equal rows are new ones. */
  readonly again: boolean;
}

/** Gives the rows of one batch their names, in the file's order. */
export class Names {
  readonly #desk: BatchDesk;
  readonly #batch: number;
  readonly #work: RowWork;
  readonly #meeting: Meeting;
  /** How many rows without a name an earlier batch has too, and which batches. */
  shared = 0;
  readonly sharedWith = new Map<string, number>();
  /** Batches that sent such a row and do not know its outcome yet. */
  readonly underWay = new Set<string>();

  constructor(desk: BatchDesk, batch: number, work: RowWork, meeting: Meeting) {
    this.#desk = desk;
    this.#batch = batch;
    this.#work = work;
    this.#meeting = meeting;
  }

  /** The names of the next rows. Earlier rows of this batch are already stored in the workspace. */
  async assign(identities: readonly Identity[]): Promise<NamedRow[]> {
    const { rows, account } = this.#desk;
    const { makers, operation } = this.#work;
    const whose = accountText(account);
    const own = identities.filter(({ named }) => named).map(({ name }) => name);
    const contents = [...new Set(identities.filter(({ named }) => !named).map(({ content }) => content))];
    const [byName, byContent, inBatch] = await Promise.all([
      operation.effect === 'create' ? rows.ofNames(whose, makers, own) : [],
      rows.ofContents(whose, makers, contents),
      rows.contentsIn(this.#batch, contents),
    ]);
    const earlierByName = new Map(byName.map((row) => [row.name, row]));
    const earlierByContent = grouped(byContent);
    const counts = new Map(inBatch);
    return identities.map((identity): NamedRow => {
      if (identity.named) return this.#ofOwnName(identity, earlierByName.get(identity.name));
      const place = (counts.get(identity.content) ?? 0) + 1;
      counts.set(identity.content, place);
      return this.#ofContent(identity, place, earlierByContent.get(identity.content) ?? []);
    });
  }

  #ofOwnName(identity: Identity, earlier: EarlierRow | undefined): NamedRow {
    const { name } = identity;
    if (earlier === undefined) return { identity, name };
    if (earlier.state === 'sending' || earlier.state === 'unclear') {
      // An order under the same name is refused or found by the service; other records have no such protection.
      if (this.#work.operation.settlement === undefined) this.underWay.add(earlier.of);
      return { identity, name };
    }
    return { identity, name, earlier };
  }

  #ofContent(identity: Identity, place: number, known: readonly EarlierRow[]): NamedRow {
    const { continues, again } = this.#meeting;
    // The name of an undone row is not used again: its record still exists at the service.
    const taken = new Set(known.map(({ name }) => name)).size;
    const earlier = known.filter(({ state }) => state !== 'undone');
    if (continues !== undefined) {
      const there = earlier.filter(({ batch }) => batch === continues);
      const same = there[place - 1];
      if (same !== undefined) return { identity, name: same.name, earlier: same };
      return { identity, name: numbered(identity.name, taken + place - there.length) };
    }
    if (again) return { identity, name: numbered(identity.name, taken + place) };
    const same = earlier[place - 1];
    if (same !== undefined) {
      this.shared += 1;
      this.sharedWith.set(same.of, (this.sharedWith.get(same.of) ?? 0) + 1);
    }
    if (same !== undefined) return { identity, name: numbered(identity.name, place), shared: true };
    const others = new Set(earlier.map(({ name }) => name)).size;
    return { identity, name: numbered(identity.name, taken - others + place), shared: false };
  }
}

function grouped(rows: readonly EarlierRow[]): Map<string, EarlierRow[]> {
  const groups = new Map<string, EarlierRow[]>();
  for (const row of rows) {
    const group = groups.get(row.content);
    if (group === undefined) groups.set(row.content, [row]);
    else group.push(row);
  }
  return groups;
}
