import { accountText } from '../../client/account.ts';
import { isDerivedName } from '../../domain/named-by.ts';
import { contentIdentity, ledgerAccount, singleName, targetIdentity } from '../../ledger/identity.ts';
import type { Key } from '../../ledger/store/keys.ts';
import { holderOf, rowOfHolder } from '../../ledger/store/undone.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { BatchContext } from '../batch-context.ts';
import { makesRecords } from '../row-work.ts';
import type { EarlierRow } from '../store/earlier-rows.ts';
import type { WholeRow } from '../store/row.ts';
import type { Maker } from '../store/row-keys.ts';
import { resentBy } from '../store/undone.ts';
import { say } from '../texts.ts';
import { type Identity, numbered } from './row-identity.ts';

/** What has made a record that was undone since. */
type Undone = Pick<Maker, 'holder' | 'recordId'>;

/** A row with its name. */
export interface NamedRow {
  readonly identity: Identity;
  readonly name: string;
  /** The digest of the key that is taken when it is sent. */
  readonly key: string;
  /** What has made its record already, as far as is known while the file is read; the claim decides. */
  readonly earlier?: Maker;
  /** What has made it before, if that was undone since: the row is not sent unless somebody says so. */
  readonly ended?: Undone;
  /** Who has derived the name that the user gave: it belongs to what that has sent. */
  readonly derivedBy?: Maker;
  /** Whether earlier work has an equal row, and the user has not said what that means. */
  readonly shared?: boolean;
}

/** How rows without a name of their own relate to rows of earlier batches. */
export interface Conflict {
  /** The number of the batch whose equal rows these are. */
  readonly continues?: number | undefined;
  /** Whether equal rows are new ones. */
  readonly again: boolean;
}

/** The batch whose rows are named. */
export interface NamedBatch {
  /** Names of rows that are sent again are derived from it. */
  readonly id: string;
  /** The number of the batch into which they are read. */
  readonly readInto: number;
}

/** Who has sent rows before: the id of a batch, undefined for one whose id is not known, and empty for single commands. */
export type Sender = string | undefined;

/** A sender in words. */
export function senderNamed(of: Sender): string {
  const { bySingles, byAnother, byBatch } = say().plan;
  if (of === '') return bySingles;
  return of === undefined ? byAnother : byBatch({ batch: of });
}

/** Gives the rows of one batch their names, in the file's order. */
export class Names {
  readonly #context: BatchContext;
  readonly #batch: NamedBatch;
  readonly #work: RowWork;
  readonly #meeting: Conflict;
  /** How many rows without a name earlier work has too, and who sent them. */
  shared = 0;
  readonly sharedWith = new Map<Sender, number>();
  /** The ids of records that were made, and that somebody may have changed or ended: nobody knows yet. */
  readonly #ending = new Set<string>();
  /** The last number of a content that was looked at, and the keys of those that were undone and whose place no row has. */
  readonly #numbers = new Map<string, { last: number; readonly undone: Undone[] }>();

  constructor(context: BatchContext, batch: NamedBatch, work: RowWork, meeting: Conflict) {
    this.#context = context;
    this.#batch = batch;
    this.#work = work;
    this.#meeting = meeting;
  }

  /** The names of the next rows. Earlier rows of this batch are already stored in the workspace. */
  async assign(read: readonly Identity[]): Promise<NamedRow[]> {
    const { rows, account } = this.#context;
    const identities = await this.#asStored(read);
    const own = identities.filter(({ named }) => named).map(({ key }) => key);
    const contents = [...new Set(identities.filter(({ named }) => !named).map(({ content }) => content))];
    const derived = identities.filter(({ named, name }) => named && isDerivedName(name));
    const [ofDerived, ofNames, byContent, inBatch] = await Promise.all([
      this.#derived(derived.map(({ name }) => name)),
      this.#keysAt(own),
      rows.ofContents(accountText(account), this.#work.makers, contents),
      rows.contentsIn(this.#batch.readInto, contents),
    ]);
    const makers = await rows.holding([...ofNames.values(), ...ofDerived.values()]);
    await this.#findEnding([...ofNames.values(), ...ofDerived.values()], byContent);
    const earlier = grouped(byContent);
    const counts = new Map(inBatch);
    const placed = identities.map((identity) => {
      const place = (counts.get(identity.content) ?? 0) + 1;
      if (!identity.named) counts.set(identity.content, place);
      return { identity, place };
    });
    const numbers = await this.#numbersOf(placed, byContent);
    const named: NamedRow[] = [];
    for (const { identity, place } of placed) {
      named.push(
        identity.named
          ? this.#ofName(identity, { given: ofNames.get(identity.key), derived: ofDerived.get(identity.name) }, makers)
          : await this.#ofContent(identity, place, earlier.get(identity.content) ?? [], numbers),
      );
    }
    return named;
  }

  /**
   * Rows that were sent, or planned, under a former derivation are these, and take the keys and names of then: otherwise a
   * change of reading would send them a second time.
   */
  async #asStored(identities: readonly Identity[]): Promise<readonly Identity[]> {
    const former = identities.flatMap((identity) => identity.former ?? []);
    if (former.length === 0) return identities;
    const { rows, account } = this.#context;
    const [known, keys] = await Promise.all([
      rows.ofContents(accountText(account), this.#work.makers, [...new Set(former.map(({ content }) => content))]),
      this.#keysAt(former.map(({ key }) => key)),
    ]);
    const contents = new Set(known.map(({ content }) => content));
    return identities.map((identity) => {
      const stored = identity.former?.find(({ content, key }) => contents.has(content) || keys.has(key));
      return stored === undefined ? identity : { ...identity, ...stored };
    });
  }

  async #findEnding(keys: readonly Key[], rows: readonly EarlierRow[]): Promise<void> {
    const ids = [...keys.map(({ recordId }) => recordId), ...rows.map(({ id }) => id)].flatMap((id) => id ?? []);
    const changes = await this.#keysAt(ids.map((id) => targetIdentity('id', id)));
    const isOpen = (id: string) => changes.get(targetIdentity('id', id))?.state;
    for (const id of ids) if (['sending', 'unclear'].includes(isOpen(id) ?? '')) this.#ending.add(id);
  }

  #ofName(
    identity: Identity,
    { given, derived }: { readonly given: Key | undefined; readonly derived: Key | undefined },
    makers: ReadonlyMap<string, WholeRow>,
  ): NamedRow {
    const derivedBy = derived && { derivedBy: { ...derived, row: makers.get(derived.holder) } };
    // What was undone is made again under its name, as one that was given.
    const key = derived?.state === 'undone' ? given : (derived ?? given);
    const row = { identity, name: identity.name, key: key?.identity ?? identity.key, ...derivedBy };
    const undone = key === undefined && derived?.state === 'undone' ? derived : key;
    if (undone?.state === 'undone') return { ...row, ended: undone };
    // What somebody may have ended is decided about when it is claimed.
    if (key?.state !== 'done' || this.#ending.has(key.recordId ?? '')) return row;
    const { again, continues } = this.#meeting;
    if (key.family === this.#context.account.family || again || continues !== undefined) {
      return { ...row, earlier: { ...key, row: makers.get(key.holder) } };
    }
    // The other family of keys has made it.
    this.#share(senderOf(key));
    return { ...row, shared: true };
  }

  async #keysAt(identities: readonly string[]): Promise<ReadonlyMap<string, Key>> {
    if (!makesRecords(this.#work) || identities.length === 0) return new Map();
    return this.#context.rows.keysAt(ledgerAccount(this.#context.account), this.#work.resource, identities);
  }

  async #derived(names: readonly string[]): Promise<ReadonlyMap<string, Key>> {
    const { rows, account } = this.#context;
    return names.length === 0 ? new Map() : rows.keysNamed(ledgerAccount(account), this.#work.resource, names);
  }

  /** The keys of the numbers that rows without a name usually get, and of the batch that goes on: asked for together. */
  async #numbersOf(
    placed: readonly { readonly identity: Identity; readonly place: number }[],
    known: readonly EarlierRow[],
  ): Promise<AskedKeys> {
    const { continues } = this.#meeting;
    const derived = placed.filter(({ identity }) => !identity.named);
    const usual = derived.map(({ identity: { content }, place }) => contentIdentity(content, place));
    const continued = known.flatMap(({ batch, identity }) => (batch === continues ? [identity] : []));
    const keys = await this.#keysAt([...usual, ...continued]);
    return new Map([...usual, ...continued].map((identity) => [identity, keys.get(identity)]));
  }

  async #ofContent(
    identity: Identity,
    place: number,
    known: readonly EarlierRow[],
    asked: AskedKeys,
  ): Promise<NamedRow> {
    const { continues, again } = this.#meeting;
    // What is changed has a key of its own, and no number.
    if (!makesRecords(this.#work)) return this.#ofChange(identity, place, known);
    if (again) return this.#ofAgain(identity, place);
    const continued = known.filter(({ batch }) => batch === continues);
    // What was sent again since has another number.
    const isOver = (row: EarlierRow) => hasEnded(row) || asked.get(row.identity)?.state === 'undone';
    const same = continued[place - 1];
    if (same !== undefined && !isOver(same)) return this.#same(identity, same);
    const held = new Set(continued.filter((row) => !isOver(row)).map((row) => row.identity));
    const { number, key, undone } = await this.#numberFor(identity.content, { asked, held, known });
    const own = contentIdentity(identity.content, number);
    const row = { identity, name: numbered(identity.name, number), key: own };
    const holder = known.find((one) => one.identity === own && one.state !== 'failed' && !hasEnded(one));
    // As many of them as were undone have been made before, and are not there now.
    const ended = key === undefined && (holder === undefined || continues !== undefined) ? undone.shift() : undefined;
    if (ended !== undefined) return { ...row, ended };
    // Equal rows are never new to a batch that goes on: another one that was gone on with may have made them.
    if (continues !== undefined) return key?.state === 'done' ? { ...row, earlier: madeBefore(key) } : row;
    if (key === undefined && holder === undefined) return row;
    this.#share(holder === undefined ? senderOf(key) : holder.of);
    return { ...row, shared: true };
  }

  /** The next number of a content: neither one that was undone nor one that a row of the continued batch has. */
  async #numberFor(
    content: string,
    {
      asked,
      held,
      known,
    }: { readonly asked: AskedKeys; readonly held: ReadonlySet<string>; readonly known: readonly EarlierRow[] },
  ) {
    const resent = new Set(known.filter(wasSent).flatMap((row) => resentBy(row) ?? []));
    const numbers = this.#numbers.get(content) ?? { last: 0, undone: undoneApart(content, known, resent) };
    this.#numbers.set(content, numbers);
    for (;;) {
      numbers.last += 1;
      const identity = contentIdentity(content, numbers.last);
      if (held.has(identity)) continue;
      const key = asked.has(identity) ? asked.get(identity) : (await this.#keysAt([identity])).get(identity);
      if (key?.state !== 'undone') return { number: numbers.last, key, undone: numbers.undone };
      // What was sent again is there under another number.
      if (!resent.has(key.holder)) numbers.undone.push(key);
    }
  }

  /** A row of the batch that is continued: the same one, made or not. */
  #same(identity: Identity, same: EarlierRow): NamedRow {
    const row = { identity, name: same.name, key: same.identity };
    if ((same.state !== 'done' && same.state !== 'existed') || this.#ending.has(same.id ?? '')) return row;
    return { ...row, earlier: madeBefore({ holder: same.made_by ?? holderOf(same), recordId: same.id }) };
  }

  /** Another one of what was sent before: under a name that no other ledger and no other batch derives. */
  async #ofAgain(identity: Identity, place: number): Promise<NamedRow> {
    const { rows, account } = this.#context;
    const content = `again ${this.#batch.id} ${identity.content}`;
    const name = singleName(await rows.ledgerId(), account, content, place);
    return { identity, name, key: contentIdentity(content, place) };
  }

  #ofChange(identity: Identity, place: number, known: readonly EarlierRow[]): NamedRow {
    const { continues, again } = this.#meeting;
    const row = { identity, name: numbered(identity.name, place), key: identity.key };
    const sent = known.filter(({ state }) => !['planned', 'failed', 'undone'].includes(state));
    if (again) return row;
    const same = sent.filter(({ batch }) => continues === undefined || batch === continues)[place - 1];
    if (same === undefined) return row;
    if (continues !== undefined) return this.#same(identity, same);
    this.#share(same.of);
    return { ...row, shared: true };
  }

  #share(sender: Sender): void {
    this.shared += 1;
    this.sharedWith.set(sender, (this.sharedWith.get(sender) ?? 0) + 1);
  }
}

/** Whether a row was sent, whatever became of its record. */
const wasSent = ({ state }: EarlierRow) => !['planned', 'failed', 'skipped'].includes(state);

/** Whether what a row has made is no longer there, as far as the ledger knows. */
const hasEnded = ({ state }: EarlierRow) => state === 'undone' || state === 'ended';

/** What was undone of a content and had no number of it, since it was sent as another one. */
function undoneApart(content: string, known: readonly EarlierRow[], resent: ReadonlySet<string>): Undone[] {
  const numbers = new Set(known.map((_, index) => contentIdentity(content, index + 1)));
  const isApart = (row: EarlierRow) =>
    row.state === 'undone' && !numbers.has(row.identity) && !resent.has(holderOf(row));
  const apart = known.filter(isApart);
  return apart.map((row) => ({ holder: holderOf(row), recordId: row.id }));
}

/** Keys that were asked for, by their identities; undefined where there is none. */
type AskedKeys = ReadonlyMap<string, Key | undefined>;

/** Who has a key of which no row is known: its batch was forgotten, or is of the other family. */
const senderOf = (key: Key | undefined): Sender => (rowOfHolder(key?.holder ?? '') === undefined ? '' : undefined);

/** What has made the record of an equal row. */
function madeBefore({ holder, recordId }: Pick<Maker, 'holder' | 'recordId'>): Maker {
  return { holder, recordId, request: null, equal: null, row: undefined };
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
