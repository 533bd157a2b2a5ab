import { type Kind, LONG, type Preference, REFUSED } from './kinds.ts';
import type { Stop } from './work.ts';
import type { About, Dice, Sheet, Task, World } from './world.ts';

type Conflict = '' | 'again' | 'continue';
type Where = Pick<About, 'machine' | 'profile' | 'kind'>;

/** What is drawn only with SHOPCTL_TEST_SCOPE=all: there, not every promise is kept yet. */
const isWhole = process.env.SHOPCTL_TEST_SCOPE === 'all';
const scope = {
  /** A partner and the shop itself, with the same rows. */
  families: isWhole,
  /** A mended file in which rows are changed that are done. */
  changesDoneRows: isWhole,
};

/** Whether the rows of a piece of work are sent although equal ones were. */
const sendsAnew = ({ about }: Task) => about.again === true || about.anew === true;

/** The batch that a piece of work named: on a terminal, behind the sign that clears the line. */
export function batchOf(task: Task): string | undefined {
  return task.about.batch ?? /(?:\b|\[K)[Bb]atch (\d{8}-\w{5})/.exec(task.stderr)?.[1];
}

/** One interleaving under way: what is drawn, and what there is to draw from. */
export class Game {
  readonly dice: Dice;
  readonly world: World;
  readonly kind: Kind;
  readonly named: boolean;
  readonly mixesProfiles: boolean;
  readonly profiles: readonly string[];
  readonly sheets: Sheet[] = [];
  readonly long: boolean;
  #mended = 0;

  constructor(dice: Dice, world: World, kind: Kind, facts: { readonly named: boolean; readonly long: boolean }) {
    this.dice = dice;
    this.world = world;
    this.kind = kind;
    this.named = facts.named;
    this.long = facts.long;
    this.profiles = kind.byPartner
      ? dice.of(
          scope.families
            ? [['test', 'test2', 'shop'], ['test'], ['shop'], ['test', 'test2']]
            : [['test'], ['shop'], ['test', 'test2']],
        )
      : dice.of([['shop', 'shop2'], ['shop']]);
    this.mixesProfiles = this.profiles.length > 1;
  }

  preference(subject: number, variant = 0, note = this.long ? LONG : ''): Preference {
    return { subject, variant, note, name: this.named ? `N-${subject}` : '' };
  }

  where(): Where {
    const machine = Math.floor(this.dice.next() * this.world.machines.length);
    return { machine, profile: this.dice.of(this.profiles), kind: this.kind };
  }

  format() {
    return this.kind.nestedOnly ? this.dice.of(['json', 'jsonl'] as const) : this.dice.of(this.world.formats);
  }

  /** A file: the first, or one that shares rows with an earlier one. */
  async newSheet(): Promise<Sheet> {
    const { dice, sheets } = this;
    const [first] = sheets;
    let wishes: Preference[];
    if (first === undefined) {
      wishes = Array.from({ length: 1 + dice.upTo(4) }, (_, index) => this.preference(index + 1));
      for (let bad = Math.floor(dice.next() * 3); bad > 0; bad -= 1) {
        const place = Math.floor(dice.next() * wishes.length);
        wishes[place] = this.preference(place + 1, 0, REFUSED);
      }
      if (!this.named && dice.chance(0.35)) {
        // Two equal rows; often the service refuses the first of them for a reason that passes.
        const place = Math.floor(dice.next() * wishes.length);
        wishes.splice(place, 0, this.preference(place + 1));
        wishes[place + 1] = this.preference(place + 1);
        if (dice.chance(0.6)) this.world.service.faults.set(place + 1, 'refused-once');
      }
    } else {
      const from = dice.of(sheets);
      wishes = from.wishes.filter(() => dice.chance(0.75));
      if (wishes.length === 0) wishes = [...from.wishes];
      if (dice.chance(0.7)) wishes.push(this.preference(10 + sheets.length));
      if (!this.named && dice.chance(0.2)) wishes.push(dice.of(wishes));
      if (dice.chance(0.15)) {
        const place = Math.floor(dice.next() * wishes.length);
        const changed = wishes[place];
        if (changed !== undefined) wishes[place] = { ...changed, variant: changed.variant + 1 };
      }
      wishes = dice.shuffled(wishes);
    }
    return this.sheetOf(wishes);
  }

  /** A file with these rows, written one way or the other. */
  async sheetOf(wishes: readonly Preference[]): Promise<Sheet> {
    const sheet = await this.world.sheet(this.kind, wishes, this.format(), this.dice.chance(0.3));
    this.sheets.push(sheet);
    return sheet;
  }

  stop(asks: boolean, reads: boolean): Stop | undefined {
    const { dice } = this;
    if (asks) return { at: 'question', nth: 1, happened: false };
    if (dice.chance(0.4)) return undefined;
    const at = dice.of(['create', 'create', 'create', reads ? 'read' : 'create', 'file', 'store'] as const);
    return { at, nth: at === 'store' ? dice.upTo(60) : dice.upTo(4), happened: dice.chance(0.5) };
  }

  /** How a file meets rows that were sent before. */
  meeting(machine: number): Conflict {
    const { dice } = this;
    if (this.named || this.batchIds(machine).length === 0) return dice.of(['', '', '', 'again']);
    return dice.of(['', 'continue', 'continue', 'again']);
  }

  /** Runs a file; what is not said is drawn. */
  async run(
    sheet: Sheet,
    said: { readonly where?: Where; readonly meeting?: Conflict; readonly stop?: Stop | null | undefined } = {},
  ): Promise<Task> {
    const { dice, world, kind } = this;
    const where = said.where ?? this.where();
    const known = this.batchIds(where.machine);
    const meeting = said.meeting ?? this.meeting(where.machine);
    const stop =
      said.stop === undefined ? this.stop(dice.chance(0.2), kind.title === 'ship') : (said.stop ?? undefined);
    const asks = stop?.at === 'question';
    const usesPipe = stop?.at === 'file' && sheet.format !== 'xlsx';
    const words = ['batch', 'run', sheet.path, '--do', kind.words, ...(asks ? [] : ['--yes', '-o', 'json'])];
    if (meeting === 'again') words.push('--again');
    if (asks || dice.chance(0.7)) words.push('--resend-ended', 'undone', '--resend-ended', 'cancelled');
    const goesOn = meeting === 'continue' && known.length > 0 ? dice.of(known) : undefined;
    if (goesOn !== undefined) words.push('--continue', goesOn);
    const anew = world.tasks.some((task) => goesOn === batchOf(task) && sendsAnew(task));
    if (dice.chance(0.5)) words.push('--concurrency', `${dice.upTo(3)}`);
    const about: About = {
      verb: 'run',
      machine: where.machine,
      profile: where.profile,
      kind,
      sheet,
      again: meeting === 'again',
      anew: goesOn !== undefined && anew,
    };
    return world.begin(about, words, { terminal: asks, stop: stop?.at === 'file' && !usesPipe ? undefined : stop });
  }

  /** A batch that was begun, and the piece of work that began it. */
  async onBatch(): Promise<void> {
    const { dice, world } = this;
    const begun = world.tasks.filter((task) => task.about.verb === 'run' && batchOf(task) !== undefined);
    if (begun.length === 0) return;
    const task = dice.of(begun);
    const batch = batchOf(task) ?? '';
    const where = dice.chance(0.8)
      ? { ...this.where(), machine: task.about.machine, profile: task.about.profile }
      : { ...this.where(), machine: task.about.machine };
    const helps = world.ledgers < world.machines.length && dice.chance(0.3);
    const verb = helps ? 'work' : dice.of(['resume', 'resume', 'retry', 'retry', 'mended', 'mended', 'undo'] as const);
    if (verb === 'mended') {
      await this.mended(task, batch, where);
      return;
    }
    const stop = this.stop(false, verb === 'retry');
    const words = ['batch', verb, batch, '--yes', '-o', 'json'];
    await world.begin({ verb, ...where, batch, sheet: task.about.sheet }, words, {
      terminal: false,
      stop: stop?.at === 'file' ? undefined : stop,
    });
  }

  /** The failed rows once more, as they stand in a file in which they are put right; or that file as a batch. */
  async mended(task: Task, batch = batchOf(task) ?? '', where: Where = task.about): Promise<Task | undefined> {
    const { dice, world, kind } = this;
    this.#mended += 1;
    const { sheet: before } = task.about;
    if (before === undefined) return undefined;
    const wishes = before.wishes.map((preference) =>
      preference.note === REFUSED || (scope.changesDoneRows && this.long && dice.chance(0.7))
        ? { ...preference, note: `mended ${this.#mended}` }
        : preference,
    );
    const sheet = await world.sheet(kind, wishes, before.format, before.turned);
    this.sheets.push(sheet);
    const at = dice.of([
      undefined,
      'create',
      'store',
      kind.title === 'ship' ? 'read' : 'create',
      'file',
      'file',
    ] as const);
    const stop = at && { at, nth: at === 'store' ? dice.upTo(60) : dice.upTo(2), happened: dice.chance(0.5) };
    const usesPipe = stop?.at === 'file' && sheet.format !== 'xlsx';
    const words = ['batch', 'retry', batch, sheet.path, '--yes', '-o', 'json'];
    const { machine, profile } = where;
    const about: About = { verb: 'mended', machine, profile, kind, batch, sheet, anew: sendsAnew(task) };
    return world.begin(about, words, { terminal: false, stop: stop?.at === 'file' && !usesPipe ? undefined : stop });
  }

  async undo({ about }: Task, batch: string): Promise<void> {
    const { machine, profile, kind, sheet } = about;
    const stop = this.stop(false, about.verb === 'update');
    const words = ['batch', 'undo', batch, '--yes', '-o', 'json'];
    await this.world.begin({ verb: 'undo', machine, profile, kind, batch, sheet }, words, {
      terminal: false,
      stop: stop?.at === 'file' ? undefined : stop,
    });
  }

  /** Somebody ends a record by its id. */
  async end(): Promise<void> {
    const { dice, world, kind } = this;
    if (world.service.made.length === 0) return;
    const { id } = dice.of(world.service.made);
    const reason = kind.ends.includes('cancel') ? ['--cancel-reason', 'wrong'] : [];
    // An order belongs to its shop, whoever made it.
    const where = { ...this.where(), profile: 'shop' };
    const words = [...kind.ends, id, ...reason, '--yes', '-o', 'json'];
    const about: About = { verb: 'end', ...where, record: id, wasDone: await world.isDone(where.machine, id) };
    await world.begin(about, words, { terminal: false, stop: undefined });
  }

  /** Somebody changes a record by its id, and loses the answer or not. */
  async change(): Promise<void> {
    const { dice, world, kind } = this;
    if (world.service.made.length === 0 || kind.changes === undefined) return this.end();
    const { id } = dice.of(world.service.made);
    const value = `v${world.tasks.length}`;
    const words = [...kind.changes.words, id, `--${kind.changes.field}`, value, '--yes', '-o', 'json'];
    const stop = dice.chance(0.5)
      ? ({ at: 'read', nth: dice.upTo(2), happened: dice.chance(0.5) } as const)
      : undefined;
    const about: About = { verb: 'change', ...this.where(), profile: 'shop', change: { id, value } };
    await world.begin(about, words, { terminal: false, stop });
  }

  /** A file that changes records, each to a value that nothing else has. */
  async update(): Promise<Task | undefined> {
    const { dice, world, kind } = this;
    const { made, changed } = world.service;
    const ids = dice.shuffled(made.map(({ id }) => id)).slice(0, dice.upTo(4));
    if (kind.changes === undefined || ids.length === 0) return undefined;
    const { field, words: verbs } = kind.changes;
    const updates = ids.map((id) => ({ id, value: `b${world.tasks.length}` }));
    const rows = updates.map(({ id, value }) => ({ id, [field]: value }));
    const path = await world.file(rows, this.format(), dice.chance(0.3));
    const words = ['batch', 'run', path, '--do', verbs.join(' '), '--yes', '-o', 'json'];
    const at = dice.of([undefined, 'read', 'read', 'store'] as const);
    const stop = at && { at, nth: dice.upTo(at === 'read' ? 3 * ids.length : 60), happened: dice.chance(0.5) };
    const about: About = { verb: 'update', ...this.where(), profile: 'shop', updates, since: changed.length };
    return world.begin(about, words, { terminal: false, stop });
  }

  /** Somebody copies the shop into the mirror of a machine. */
  async sync(): Promise<void> {
    const { dice, world, kind } = this;
    if (kind.area === undefined) return;
    const words = ['mirror', 'sync', '--area', kind.area, '-o', 'json'];
    const stop = dice.chance(0.4) ? ({ at: 'store', nth: dice.upTo(30), happened: false } as const) : undefined;
    await world.begin({ verb: 'sync', ...this.where(), profile: 'shop' }, words, { terminal: false, stop });
  }

  async single(given?: Preference): Promise<void> {
    const { dice, world, kind } = this;
    const wishes =
      given !== undefined
        ? [given]
        : this.sheets.flatMap((sheet) => sheet.wishes).filter(({ note }) => note !== REFUSED);
    if (wishes.length === 0) return;
    let preference = dice.of(wishes);
    if (given === undefined && this.named && dice.chance(0.3))
      preference = { ...preference, variant: preference.variant + 1 };
    const again = dice.chance(0.15);
    const other = dice.chance(0.3) ? kind.other : undefined;
    const asks = kind.title === 'ship' && other === undefined && dice.chance(0.3);
    const words = [
      ...(other ?? kind).words.split(' '),
      '--input',
      world.input(kind, preference, other),
      ...(asks ? [] : ['--yes', '-o', 'json']),
    ];
    if (kind.title === 'ship') words.push(...(other ? [] : ['--pick', 'cheapest']), ...(again ? ['--again'] : []));
    const stop = this.stop(asks, false);
    await world.begin(
      { verb: 'single', ...this.where(), preference, again: (again || asks) && kind.title === 'ship' },
      words,
      {
        terminal: asks,
        stop: stop?.at === 'file' ? undefined : stop,
      },
    );
  }

  /**
   * A person looks at the service, and says what became of a write that a command has left unclear; and nothing equal is
   * under way, or may still arrive.
   */
  async word(): Promise<void> {
    const { dice, world, kind } = this;
    const open = world.tasks.filter(({ about, exit }) => about.verb === 'single' && exit === 10);
    if (open.length === 0 || world.service.hasLate() || world.tasks.some(({ ended }) => ended === undefined)) return;
    const task = dice.of(open);
    const { machine, profile, preference } = task.about;
    const id = /ledger settle ([0-9a-f]{10})/.exec(task.stderr)?.[1];
    if (id === undefined) return;
    const shown = await world.look(machine, profile, ['ledger', 'show', id, '-o', 'json']);
    if (shown.exit !== 0) return;
    const { state, name } = JSON.parse(shown.stdout);
    if (state !== 'unclear' || name === null) return;
    const isThere = world.service.made.some((made) => made.name === name);
    const words = ['ledger', 'settle', id, isThere ? '--done' : '--not-done', '--yes', '-o', 'json'];
    const stop = dice.chance(0.3) ? ({ at: 'store', nth: dice.upTo(4), happened: false } as const) : undefined;
    const settled = isThere ? preference : undefined;
    await world.begin({ verb: 'word', machine, profile, kind, settled }, words, { terminal: false, stop });
    if (dice.chance(0.7)) await this.single(preference);
  }

  /** Something happens to a piece of work that stands. */
  async wake(task: Task): Promise<void> {
    const { dice, world } = this;
    const { at } = task.work.stop ?? {};
    const early = at === 'file' || at === 'read';
    const what = dice.of(['goes on', early ? 'killed' : 'goes on', 'interrupted', 'killed'] as const);
    const how = dice.chance(0.6) ? 'pass' : 'cut';
    if (what === 'goes on') await task.goOn(how);
    else if (what === 'interrupted') await task.interrupt(how);
    else await task.kill(world.service.keepsNamesUnique && dice.chance(0.3));
    world.tell(`${task.work.number} ${what}${what === 'killed' ? '' : `, ${how}`} -> ${world.stateOf(task)}`);
  }

  batchIds(machine: number): string[] {
    return [
      ...new Set(
        this.world.tasks.filter(({ about }) => about.machine === machine).flatMap((task) => batchOf(task) ?? []),
      ),
    ];
  }

  async step(): Promise<void> {
    const { dice, world } = this;
    const standing = world.tasks.filter((task) => task.isStanding);
    if (standing.length > 2 || (standing.length > 0 && dice.chance(0.35))) return this.wake(dice.of(standing));
    if (dice.chance(0.05)) await world.service.deliverLate();
    if (dice.chance(0.4)) await this.word();
    const [mended] = standing.filter(({ about }) => about.verb === 'mended');
    // The mended file as a batch of its own, beside the retry that reads it.
    if (mended?.about.sheet !== undefined && dice.chance(0.4)) {
      await this.run(mended.about.sheet, { where: mended.about, meeting: '' });
      return;
    }
    const deed = dice.of([
      'new',
      'new',
      'new',
      'same',
      'same',
      'batch',
      'batch',
      'batch',
      'batch',
      'single',
      'single',
      'end',
      'change',
      'sync',
    ] as const);
    if (deed === 'single') return this.single();
    if (deed === 'end') return this.end();
    if (deed === 'change') return this.change();
    if (deed === 'sync') return this.sync();
    if (deed === 'batch' && world.tasks.length > 0) return this.onBatch();
    await this.run(deed === 'same' && this.sheets.length > 0 ? dice.of(this.sheets) : await this.newSheet());
  }
}
