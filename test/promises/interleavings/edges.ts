/*
 * Worlds at the edges of the promise: answers that are another's or empty, refusals after the deed, old dates; what is put
 * aside (--again, forgotten batches, backups, words of a person) and doors beside the main one (another address, a record by
 * each of its names). One deed after another, so that the referee can say of each how much it may have made.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsIn } from '../../../src/domain/json/values.ts';
import { batchOf } from './game.ts';
import { type Kind, kinds, LONG, type Preference, wishIn } from './kinds.ts';
import { idIn, OddAnswers, type Oddity, oddities } from './odd-answers.ts';
import type { Played } from './play.ts';
import type { Made } from './service.ts';
import type { Hands, Stop } from './work.ts';
import { type About, Dice, type Sheet, type Task, World } from './world.ts';

const DAY_MS = 86_400_000;
const STRANGER = 900;
/** Subjects from here on are of rows that only stand beside others. */
const MORE = 1_000;
/** In worlds in which a ledger is moved, the machine on which nobody works. */
const FRESH = 1;

/** Whether a record is what was asked for: every field that was sent counts, and a note that was not sent does not. */
const isWanted = (made: string | undefined, wanted: string) =>
  made === wanted || (wanted.endsWith('/') && made?.startsWith(wanted) === true);

/** A form of a page, by its console's own mark. */
interface Form {
  readonly mark: unknown;
  /** How many records had been reported when it was opened. */
  readonly reported: number;
}

/** What was there when a content was sent. */
interface Found {
  readonly content: string;
  readonly before: number;
  readonly untold: number;
  /** Whether the ledger may not know that some of it was told. */
  readonly isUnsure: boolean;
  readonly again: boolean;
}

/** A console that stays open. */
interface OpenConsole {
  readonly task: Task;
  /** The action by which its forms make a record. */
  readonly action: string;
  forms: readonly Form[];
}

class Edges {
  readonly dice: Dice;
  readonly world: World;
  readonly kind: Kind;
  readonly named: boolean;
  readonly broken: string[] = [];
  readonly counts = new Map<string, number>();
  /** Records of which somebody has been told. */
  readonly #reported = new Set<string>();
  /** Records of which the ledger that was put back cannot know. */
  readonly #lost = new Set<string>();
  /** The commands during which the dates of the service were wrong. */
  readonly #misdated = new Set<number>();
  /** Records that were told last by who was killed, or found no room, before the ledger knew that: it may tell them again. */
  readonly #unsure = new Set<string>();
  /** Records of which a ledger has learned while the service's dates and its machine's clock were both wrong. */
  readonly #undated = new Set<string>();
  /** How many more were asked for by work that was killed before it made one: what goes on with it makes that. */
  #owed = 0;
  readonly #sheets = new Map<string, Sheet>();
  /** Rows of which a batch has told. */
  readonly #run = new Set<string>();
  readonly #odd: OddAnswers;
  #console: OpenConsole | undefined;

  constructor(dice: Dice, world: World, kind: Kind, named: boolean, now: () => number) {
    this.dice = dice;
    this.world = world;
    this.kind = kind;
    this.named = named;
    this.#odd = new OddAnswers(world.service, kind, now, (name) => this.count(name));
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  breaks(line: string): void {
    this.broken.push(line);
  }

  profile(): string {
    return `${this.kind.byPartner ? 'test' : 'shop'}${this.dice.of(['', '', '2', '3'])}`;
  }

  preference(subject: number, note = ''): Preference {
    return { subject, variant: 0, note, name: this.named ? `N-${subject}` : '' };
  }

  contentOf(preference: Preference): string {
    return wishIn(JSON.stringify(this.kind.record(preference, this.world.service.parents)))?.content ?? '';
  }

  /** Begins a piece of work, and plays it to its end or to its stop. What is odd on its way is drawn where nobody says it. */
  async begin(
    about: Omit<About, 'kind'>,
    words: readonly string[],
    {
      stop,
      oddity,
      place,
    }: { readonly stop?: Stop | undefined; readonly oddity?: Oddity; readonly place?: string } = {},
  ): Promise<Task> {
    const isOff = this.#drawAnswers(oddity);
    const task = await this.world.begin({ ...about, kind: this.kind }, words, {
      terminal: false,
      stop,
      ...(place !== undefined && { place }),
    });
    if (isOff) this.#misdated.add(task.work.number);
    if (!task.isStanding) await task.settled(true);
    return task;
  }

  /** Draws what the next requests find; returns whether the dates of the service are wrong for them. */
  #drawAnswers(oddity?: Oddity): boolean {
    const { dice } = this;
    const isOdd = dice.chance(0.5);
    const drawn = dice.of(oddities);
    const way = {
      oddity: oddity ?? (isOdd ? drawn : undefined),
      nth: oddity === undefined ? dice.upTo(2) : 1,
      off: dice.chance(0.2) ? -2 * DAY_MS : 0,
    };
    this.#odd.begin(way);
    if (way.oddity !== undefined) this.world.tell(`  ${way.oddity} at ${way.nth}`);
    if (way.off !== 0) this.world.tell('  the dates of the service are two days old');
    return way.off !== 0;
  }

  async live(): Promise<readonly Made[]> {
    const { service } = this.world;
    const ids = await service.live(this.kind);
    return service.made.filter(({ id }) => ids.has(id));
  }

  /** Sends one content, by a command or as the row of a sheet, and judges what came of it. */
  async send(subject: number, note = ''): Promise<void> {
    const { dice, world, kind } = this;
    const preference = this.preference(subject, note);
    const content = this.contentOf(preference);
    const asRow = kind.nestedOnly === true || dice.chance(0.5);
    // The same row in a sheet with one more, which nobody has sent before.
    const more = asRow && dice.chance(0.3) ? [this.preference(MORE + 100 + world.tasks.length)] : [];
    const again = more.length === 0 && dice.chance(0.3);
    // Another ledger knows only what the service keeps unique.
    const machine = this.named && kind.isOrder && dice.chance(0.3) ? world.machines.length - 1 : 0;
    const at = dice.of([undefined, undefined, 'create', 'store'] as const);
    const stop = at && { at, nth: at === 'store' ? dice.upTo(40) : 1, happened: dice.chance(0.7) };
    const sheet = asRow ? await this.#sheetOf([preference, ...more]) : undefined;
    const words =
      sheet === undefined
        ? [
            ...kind.words.split(' '),
            '--input',
            world.input(kind, preference),
            ...(kind.title === 'ship' ? ['--pick', 'cheapest'] : []),
          ]
        : ['batch', 'run', sheet.path, '--do', kind.words];
    const before = (await this.live()).filter(
      (one) =>
        this.#mayBeKnown(one) &&
        (one.content === content || (this.named && one.name === preference.name)) &&
        (kind.isOrder ? !(again && this.#isOfFullDisk(one, sheet)) : this.#isOfDoor(one, sheet, again)),
    );
    const untold = before.filter(({ id }) => !this.#reported.has(id)).length;
    const takesAgain = sheet !== undefined || kind.isOrder;
    if (again && takesAgain) words.push('--again');
    const about = { verb: 'send', machine, profile: this.profile(), preference, sheet, again };
    const task = await this.begin(about, [...words, '--yes', '-o', 'json'], { stop });
    if (task.isStanding) await this.#wake(task);
    const isUnsure = before.some(({ id }) => this.#unsure.has(id));
    await this.#judgeSend(task, { content, before: before.length, untold, isUnsure, again: again && takesAgain });
  }

  /**
   * Whether a ledger can know of a record: not where it was put back and --again had made that since, under a name of its own,
   * nor for a day where the service's dates and the clock of the machine were both wrong when it was made.
   */
  #mayBeKnown({ id, by }: Made): boolean {
    return !this.#lost.has(id) && !this.#undated.has(id) && !this.#isMisdated(by);
  }

  #isMisdated(by: number): boolean {
    return this.#misdated.has(by) && this.world.tasks[by]?.clockWasSet === true;
  }

  #told(id: string, { ended, diskWasFull, work }: Task): void {
    this.#reported.add(id);
    if (this.#isMisdated(work.number)) this.#undated.add(id);
    if (ended === 'killed' || diskWasFull) this.#unsure.add(id);
    else this.#unsure.delete(id);
  }

  /** What comes of a copy that is put back: what was made since the first so many, by --again, is not in it. */
  #losesSince(many: number): true {
    const { service, tasks } = this.world;
    for (const { id, by } of service.made.slice(many)) if (tasks[by]?.about.again === true) this.#lost.add(id);
    return true;
  }

  /**
   * Whether a record that is no order was made by what sends it now: a command, or a row. Equal orders are one, whoever sends
   * them; of other records each command makes one, and so do the rows of each sheet that is sent once more by --again.
   */
  #isOfDoor({ by, name }: Made, sheet: Sheet | undefined, again: boolean): boolean {
    const { sheet: other, again: wasAgain = false } = this.world.tasks[by]?.about ?? {};
    if ((other === undefined) !== (sheet === undefined)) return false;
    return name.startsWith('N-') || other?.path === sheet?.path || !(again || wasAgain);
  }

  /** Whether a row of another sheet made it whose disk had no room for the summary: that sheet tells of it when it runs again. */
  #isOfFullDisk({ by }: Made, sheet: Sheet | undefined): boolean {
    const { about, diskWasFull } = this.world.tasks[by] ?? {};
    return diskWasFull === true && sheet !== undefined && about?.sheet !== undefined && about.sheet !== sheet;
  }

  /** What the console was answered last. */
  #answered({ answered = '' }: Task): Readonly<Record<string, unknown>> {
    return answered.startsWith('{') ? fieldsIn(JSON.parse(answered)) : {};
  }

  /** The console that is open, or a new one; undefined where nobody serves pages, or it has no such form. */
  async #opened(): Promise<OpenConsole | undefined> {
    const { world, kind } = this;
    if (this.#console !== undefined && this.#console.task.ended === undefined) return this.#console;
    this.#console = undefined;
    const about = { verb: 'console', machine: 0, profile: 'shop', kind };
    this.#odd.begin({ oddity: undefined, nth: 0, off: 0 });
    const task = await world.begin(about, ['console', '--port', '0', '--json'], { terminal: false, stop: undefined });
    await task.ask?.('/api/actions', undefined);
    const { actions } = this.#answered(task);
    const found = Array.isArray(actions)
      ? actions.find(({ group, words }) => [group, ...words].join(' ') === kind.words)
      : undefined;
    if (found === undefined) return undefined;
    this.#console = { task, action: encodeURIComponent(found.id), forms: [] };
    return this.#console;
  }

  /** Sends a form, which stops where that is said. Returns what the page shows; nothing where it was killed. */
  async #sendForm({ task, action }: OpenConsole, { mark }: Form, preference: Preference, stop?: Stop) {
    const { world, kind, dice } = this;
    const input = JSON.parse(readFileSync(world.input(kind, preference), 'utf8'));
    const pick = kind.title === 'ship' ? { pick: 'cheapest' } : {};
    await task.ask?.(`/api/run/${action}`, { input: { ...input, ...pick }, opened: mark }, stop);
    if (task.isStanding && dice.chance(0.5)) await task.kill(false);
    else if (task.isStanding) await task.goOn(dice.of(['pass', 'cut'] as const), true);
    const ran = this.#answered(task);
    const { kind: shown, name = '', notices = [] } = ran;
    world.tell(
      `${task.work.number}: form ${preference.subject}/${preference.note} -> ${shown ?? 'killed'} ${name} ${notices}`,
    );
    return ran;
  }

  /** A form of a console that stays open is sent, whose page may have been sent before, and shows it to somebody or not. */
  async page(): Promise<void> {
    const { dice, world, kind } = this;
    const opened = await this.#opened();
    if (opened === undefined) return;
    const { task } = opened;
    const isOld = opened.forms.length > 0 && dice.chance(0.7);
    // Two tabs, of which one may be sent much later.
    for (let tabs = isOld ? 0 : 2; tabs > 0; tabs -= 1) {
      await task.ask?.(`/api/form/${opened.action}`, undefined);
      opened.forms = [...opened.forms, { mark: this.#answered(task).opened, reported: this.#reported.size }];
    }
    const form = dice.of(opened.forms);
    const preference = this.preference(1);
    const content = this.contentOf(preference);
    const there = (await this.live()).filter(
      (one) =>
        (one.content === content || (this.named && one.name === preference.name)) &&
        (kind.isOrder || this.#isOfDoor(one, undefined, false)),
    );
    const before = there.filter((one) => this.#mayBeKnown(one));
    const since = new Set([...this.#reported].slice(form.reported));
    // What nobody was told, or was told since this form was opened, is what it asks for; a name that was given is one record.
    const isAskedFor = ({ id }: Made) => kind.isOrder || this.named || !this.#reported.has(id) || since.has(id);
    const isThere = before.some(isAskedFor);
    const { length } = world.service.made;
    if (this.#drawAnswers()) this.#misdated.add(task.work.number);
    const at = dice.of([undefined, undefined, 'create', 'store'] as const);
    const stop = at && { at, nth: at === 'store' ? dice.upTo(40) : 1, happened: dice.chance(0.7) };
    const ran = await this.#sendForm(opened, form, preference, stop);
    const made = world.service.made.slice(length).filter(({ by }) => by === task.work.number);
    const most = isThere && this.#owed === 0 ? 0 : 1;
    if (isThere && made.length > 0) this.#owed -= 1;
    if (made.length > most)
      this.breaks(`${task.work.number} made ${made.length} ${content} by a form, at most ${most}`);
    if (made.some((one) => one.content !== content)) this.breaks(`${task.work.number} made something else by a form`);
    if (isOld) this.count('edge: a form sent again');
    if (ran.kind !== 'record') return;
    const isKnown = !before.some(({ id }) => this.#unsure.has(id));
    if (!there.some(isAskedFor) && isKnown && before.length > 0 && made.length === 0)
      this.breaks(`${task.work.number} made no other ${content} by a form that was opened since`);
    const id = idIn(JSON.stringify(ran));
    const record = world.service.made.find((one) => one.id === id);
    if (record !== undefined && !isWanted(record.content, content))
      this.breaks(`${task.work.number} shows ${id}, which is ${record.content} and not ${content}`);
    if (typeof ran.receipt !== 'string' || dice.chance(0.3)) return;
    await task.ask?.(`/api/told/${ran.receipt}`, {});
    if (id !== undefined) this.#told(id, task);
    const next = { mark: this.#answered(task).opened, reported: this.#reported.size };
    opened.forms = opened.forms.map((one) => (one === form && typeof next.mark === 'string' ? next : one));
  }

  #wasMade(content: string): boolean {
    return this.world.service.made.some((one) => one.content === content);
  }

  #wasMadeAs(name: string): boolean {
    return name !== '' && this.world.service.made.some((one) => one.name === name);
  }

  async #wake(task: Task): Promise<void> {
    const what = this.dice.of(['killed', 'interrupted', 'goes on'] as const);
    if (what === 'killed') await task.kill(false);
    else if (what === 'interrupted') await task.interrupt('cut');
    else await task.goOn('pass', true);
    if (task.ended === undefined) await task.settled(true);
    this.world.tell(`${task.work.number} ${what} -> ${this.world.stateOf(task)}`);
  }

  async #sheetOf(wishes: readonly Preference[]): Promise<Sheet> {
    const key = JSON.stringify(wishes);
    const known = this.#sheets.get(key);
    if (known !== undefined) return known;
    const sheet = await this.world.sheet(
      this.kind,
      wishes,
      this.kind.nestedOnly ? 'json' : this.dice.of(['csv', 'json'] as const),
    );
    this.#sheets.set(key, sheet);
    return sheet;
  }

  async #judgeSend(task: Task, { content, before, untold, isUnsure, again }: Found): Promise<void> {
    const { world, kind } = this;
    const { number } = task.work;
    const { sheet, preference } = task.about;
    const row = JSON.stringify(preference);
    const created = world.service.made.filter(({ by, subject }) => by === number && subject < MORE);
    const own = created.filter((one) => one.content === content);
    const isMixed = world.tasks.some(({ about }) => about.again || about.verb === 'end' || about.verb === 'undo');
    const wasRun = sheet !== undefined && this.#run.has(row) && before > 0 && !isMixed;
    // Equal orders are one for a day; of other records each command that is told makes one, and a sheet each row once.
    const isThere = kind.isOrder ? before > 0 : untold > 0 || wasRun;
    const most = untold > 0 ? 0 : isThere ? (again || this.#owed > 0 ? 1 : 0) : 1;
    const reported = this.broken.length;
    if (own.length > most)
      this.breaks(`${number} made ${own.length} ${content}, at most ${most}: ${before} were there, ${untold} untold`);
    // What a killed command was sending under the same name is settled first, and an order is sent once more for that.
    const isOwed = ({ name, content }: Made) =>
      world.tasks.some(
        ({ about, ended }) =>
          ended === 'killed' && about.preference?.name === name && this.contentOf(about.preference) === content,
      );
    const others = created.filter((one) => one.content !== content);
    if (others.some((one) => one.name === '' || !isOwed(one))) this.breaks(`${number} made something else`);
    if (again && own.length === 0 && task.exit !== 0) this.#owed += 1;
    else if (!again && isThere && own.length > 0) this.#owed -= 1;
    const live = (await this.live()).filter((one) => isWanted(one.content, content));
    const ended = task.ended === 'by itself';
    // That a file was run, and that nothing was sent now, says nothing of what became of its records since.
    const wasKnown =
      task.stderr.includes('this file was run as') ||
      // Nor does a batch that goes on: what it has done it has done, whoever ended that.
      (/batch \S+ continues/.test(task.stderr) && this.#wasMade(content)) ||
      // What was made before, and has ended since, is left out and named; under a given name whatever its row says by now.
      (task.stderr.includes('is not sent again: ') &&
        (this.#wasMade(content) || this.#wasMadeAs(preference?.name ?? '')));
    // An answer that nobody was told is told as it came: what another ledger has ended since is not known to this one.
    const isOfOtherLedger = world.ledgers > 1 && task.about.machine !== 0 && task.stderr.includes('and it was settled');
    // Under a derived name --again makes one more of what is there and surely told; a batch that goes on has its own rows.
    const goesOn = isUnsure || /batch \S+ continues|and it was settled/.test(task.stderr);
    if (again && !this.named && ended && task.exit === 0 && before > 0 && untold === 0 && own.length === 0 && !goesOn)
      this.breaks(`${number} made no other ${content}, though --again asked for one`);
    if (ended && task.exit === 0) {
      if (live.length === 0 && !wasKnown && !isOfOtherLedger)
        this.breaks(`${number} ended with exit 0, and no ${content} is there`);
      const id = sheet === undefined ? idIn(task.stdout) : undefined;
      const record = world.service.made.find((one) => one.id === id);
      if (id !== undefined && !isWanted(record?.content, content))
        this.breaks(`${number} tells of ${id}, which is ${record?.content ?? 'nobody’s'} and not ${content}`);
    }
    if (this.broken.length > reported)
      world.tell(`  ${task.stdout.replaceAll(/\s+/g, ' ').slice(0, 900)} ${task.stderr.slice(0, 900)}`);
    // Who is killed when all of it is written has told it, whether or not the ledger knows.
    const isReported = sheet === undefined ? task.exit === 0 || !ended : task.stdout.startsWith('{');
    if (!isReported) return;
    if (sheet === undefined) {
      const id = idIn(task.stdout);
      if (id !== undefined) this.#told(id, task);
      return;
    }
    this.#run.add(row);
    await this.#hear(task);
  }

  /** What a batch has told of its rows. */
  async #hear(task: Task): Promise<void> {
    if (!task.stdout.startsWith('{')) return;
    const { batch } = JSON.parse(task.stdout);
    for (const id of await this.#recordsOf(task.about, batch)) this.#told(id, task);
  }

  /** The records that the rows of a batch have. */
  async #recordsOf({ machine, profile }: Pick<About, 'machine' | 'profile'>, batch: string): Promise<string[]> {
    const rows = await this.world.resultOf(machine, profile, batch);
    return rows.flatMap(({ result }) => (result?.id && ['done', 'existed'].includes(result.state) ? [result.id] : []));
  }

  /** The words that name a record, by one of its names. */
  async #naming({ id, name }: Made): Promise<readonly string[]> {
    const shown = await this.world.service.shown(this.kind, id);
    // What is gone is answered with the code of a refusal.
    const code = shown.id === undefined ? undefined : shown.code;
    return this.dice.of([
      [id],
      ...(typeof code === 'string' && code !== '' && this.kind.title !== 'shipnow' ? [['--code', code]] : []),
      ...(name === '' ? [] : [['--external-id', name]]),
    ]);
  }

  async #endWords(made: Made): Promise<string[]> {
    const { kind } = this;
    const reason = kind.ends.includes('cancel') ? ['--cancel-reason', 'wrong'] : [];
    return [...kind.ends, ...(await this.#naming(made)), ...reason, '--yes', '-o', 'json'];
  }

  /** Somebody ends a record by one of its names; its answer may be lost, and a person may say what became of it. */
  async end(): Promise<void> {
    const { dice } = this;
    const there = await this.live();
    const [made] = dice.shuffled(there.filter(({ id }) => id !== this.#odd.stranger));
    if (made === undefined) return;
    const profile = `shop${dice.of(['', '2', '3'])}`;
    const stop = dice.chance(0.3) ? ({ at: 'read', nth: dice.upTo(3), happened: true } as const) : undefined;
    const task = await this.begin({ verb: 'end', machine: 0, profile }, await this.#endWords(made), { stop });
    if (task.isStanding && dice.chance(0.6)) {
      // Another change of the record beside it, by another of its names.
      const seen = this.#odd.changing.length;
      const arrived = this.#odd.changing.includes(task.work.number);
      const words = dice.chance(0.5) && this.kind.changes ? await this.#changeWords(made) : await this.#endWords(made);
      const other = await this.begin({ verb: 'end', machine: 0, profile }, words);
      if (task.isStanding && arrived && this.#odd.changing.slice(seen).includes(other.work.number))
        this.breaks(`${other.work.number} changed ${made.id} while ${task.work.number} had no answer yet`);
    }
    if (task.isStanding) await this.#wake(task);
    const isThere = (await this.live()).some(({ id }) => id === made.id);
    if (task.ended === 'by itself' && task.exit === 0 && isThere)
      this.breaks(`${task.work.number} ended with exit 0, and ${made.id} is there`);
    // What is unclear is the end, or still the create, which the end waits for.
    const isOfCreate = /"code":"held_by"/.test(task.stderr);
    if (task.exit === 10 && dice.chance(0.6))
      await this.word(task, isOfCreate ? isThere : !isThere, isOfCreate ? [made] : []);
    else if (dice.chance(0.4)) await this.begin({ verb: 'end', machine: 0, profile }, await this.#endWords(made));
  }

  async #changeWords(made: Made): Promise<string[]> {
    const { words = [], field = '' } = this.kind.changes ?? {};
    return [
      ...words,
      ...(await this.#naming(made)),
      `--${field}`,
      `v${this.world.tasks.length}`,
      '--yes',
      '-o',
      'json',
    ];
  }

  /** A person does what the program proposes: looks at the service, and says what became of the write. */
  async word({ stderr, about, work }: Task, isDone: boolean, records: readonly Made[]): Promise<void> {
    const found = /shopctl ((?:ledger|batch) settle [^`"]*?) --done/.exec(stderr)?.[1];
    if (found === undefined || /\bID\b|\bROW\b/.test(found)) return;
    const words = [...found.split(' '), isDone ? '--done' : '--not-done', '--yes', '-o', 'json'];
    const { machine, profile } = about;
    // What was proposed some time ago may have been done since.
    const isNew = work.number === this.world.tasks.length - 1;
    const task = await this.begin({ verb: 'word', machine, profile }, words);
    if (isNew && /"code":"\w*(?:not_found|ambiguous)"/.test(task.stderr))
      this.breaks(`${task.work.number} was proposed, and names nothing: ${task.stderr.slice(0, 300)}`);
    if (task.exit !== 0) return;
    this.count('edge: a proposal was followed');
    if (isDone) for (const { id } of records) this.#reported.add(id);
  }

  /** A person looks at what a command or row has left unclear, and says what is there. */
  async settle(): Promise<void> {
    const open = this.world.tasks.filter(({ about, exit }) => about.verb === 'send' && exit === 10);
    const [task] = this.dice.shuffled(open);
    if (task?.about.preference === undefined) return;
    const content = this.contentOf(task.about.preference);
    const there = (await this.live()).filter((one) => one.content === content && !this.#reported.has(one.id));
    await this.word(task, there.length > 0, there);
  }

  /** What is done besides sending: batches are forgotten and taken back. */
  async onBatch(): Promise<void> {
    const { dice, world } = this;
    const [task] = dice.shuffled(world.tasks.filter((one) => batchOf(one) !== undefined));
    const batch = task && batchOf(task);
    if (task === undefined || batch === undefined) return;
    const verb = dice.of(['forget', 'forget', 'resume', 'undo'] as const);
    const { machine, profile } = task.about;
    const rows = verb === 'forget' ? await this.#recordsOf(task.about, batch) : [];
    const done = await this.begin({ verb, machine, profile, batch }, ['batch', verb, batch, '--yes', '-o', 'json']);
    // Whoever has a batch forgotten by its name knows of it: what it has made can be told to nobody any more.
    if (done.exit === 0) for (const id of rows) this.#reported.add(id);
    await this.#hear(done);
  }

  /** A batch is stopped among its rows and goes on; then the ledger of before is put back, and it goes on once more. */
  async copied(): Promise<void> {
    const { dice, world, kind } = this;
    const wishes = [1, 2, 3].map((more) => this.preference(MORE + more));
    const sheet = await this.#sheetOf(wishes);
    const about = { verb: 'copied', machine: 0, profile: 'shop', sheet };
    const words = ['batch', 'run', sheet.path, '--do', kind.words, '--concurrency', '1', '--yes', '-o', 'json'];
    const stop = { at: 'create', nth: 1 + dice.upTo(2), happened: dice.chance(0.5) } as const;
    const run = await this.begin(about, words, { stop });
    if (run.isStanding) await this.#wake(run);
    const batch = batchOf(run);
    const restore = world.backUp(0);
    if (batch === undefined || restore === undefined) return;
    const goOn = () => this.begin({ ...about, batch }, ['batch', 'resume', batch, '--yes', '-o', 'json']);
    await goOn();
    if (!restore()) return;
    world.tell('a backup is put back');
    this.count('edge: backup of a batch put back');
    await goOn();
  }

  /**
   * A ledger is moved while a batch is unfinished: to a fresh place, or into the ledger of another machine. The batch goes on
   * there, and the former place sends nothing any more, whatever is asked of it.
   */
  async moved(): Promise<void> {
    const { dice, world, kind } = this;
    const wishes = [5, 6, 7].map((more) => this.preference(MORE + more));
    const sheet = await this.#sheetOf(wishes);
    const about = { verb: 'moved', machine: 0, profile: 'shop', sheet };
    const words = ['batch', 'run', sheet.path, '--do', kind.words, '--concurrency', '1', '--yes', '-o', 'json'];
    const stop = { at: 'create', nth: 1 + dice.upTo(2), happened: dice.chance(0.5) } as const;
    const run = await this.begin(about, words, { stop });
    if (run.isStanding) await this.#wake(run);
    const batch = batchOf(run);
    const page = dice.chance(0.5) ? await this.#opened() : undefined;
    const to = dice.of([FRESH, world.machines.length - 1]);
    const from = join(world.machines[0] ?? '', 'state');
    const there = join(world.machines[to] ?? '', 'state');
    const killed = dice.chance(0.3) ? ({ at: 'store', nth: dice.upTo(60), happened: false } as const) : undefined;
    const moving = ['workspace', 'move', '--yes', '-o', 'json'];
    let move = await this.begin({ ...about, verb: 'move' }, moving, { stop: killed, place: there });
    if (move.ended === 'killed') move = await this.begin({ ...about, verb: 'move' }, moving, { place: there });
    // A ledger that has sent nothing and knows of no batch is none yet: nothing is moved, and nothing is refused.
    if (move.exit !== 0 || (run.sent.length === 0 && !move.stdout.includes('"from"'))) return;
    world.moved(0, to);
    this.count(`edge: a ledger moved ${to === FRESH ? 'to a fresh place' : 'into another one'}`);
    if (page !== undefined) {
      const { length } = page.task.sent;
      const { kind: shown } = await this.#sendForm(page, { mark: undefined, reported: 0 }, this.preference(MORE + 8));
      this.count('edge: a form of a console whose ledger was moved');
      if (page.task.sent.length > length || shown === 'record')
        this.breaks(`${page.task.work.number} sent something by a form from the ledger that was moved away`);
      this.#console = undefined;
    }
    const former = [words, ...(batch === undefined ? [] : [['batch', 'resume', batch, '--yes', '-o', 'json']])];
    const late = await this.begin(about, dice.of(former), { place: from });
    if (late.sent.length > 0) this.breaks(`${late.work.number} sent something from the ledger that was moved away`);
    if (late.exit === 0) this.breaks(`${late.work.number} ended with exit 0 on the ledger that was moved away`);
    if (batch !== undefined) await this.begin({ ...about, batch }, ['batch', 'resume', batch, '--yes', '-o', 'json']);
  }

  /** A row is lost and every look-up is answered by a stranger's record; then it is taken back, or ended by its name. */
  async astray(): Promise<void> {
    const { dice, kind } = this;
    const preference = { ...this.preference(MORE + 4), name: dice.chance(0.5) ? `N-${MORE + 4}` : '' };
    const sheet = await this.#sheetOf([preference]);
    const about = { verb: 'astray', machine: 0, profile: 'shop', sheet };
    const oddity = dice.of(['lost, look-ups of another', 'lost, made, look-ups of another'] as const);
    const words = ['batch', 'run', sheet.path, '--do', kind.words, '--yes', '-o', 'json'];
    const run = await this.begin(about, words, { oddity });
    const batch = batchOf(run);
    if (batch === undefined) return;
    if (preference.name === '' || dice.chance(0.3)) {
      await this.begin({ ...about, batch }, ['batch', 'undo', batch, '--yes', '-o', 'json']);
      return;
    }
    const reason = kind.ends.includes('cancel') ? ['--cancel-reason', 'wrong'] : [];
    const end = [...kind.ends, '--external-id', preference.name, ...reason, '--yes', '-o', 'json'];
    const ended = await this.begin({ ...about, verb: 'end' }, end);
    if (ended.exit === 10) await this.word(ended, this.#wasMade(this.contentOf(preference)), []);
  }

  /** A plan is saved; then it is edited, or run beside its sheet in another order: no row is sent as another one. */
  async planned(): Promise<void> {
    const { dice, world, kind } = this;
    const wishes = [11, 12].map((more) => this.preference(MORE + more));
    const sheet = await this.#sheetOf(wishes);
    const plan = `${sheet.path}.plan`;
    const about = { verb: 'planned', machine: 0, profile: 'shop' };
    const words = ['batch', 'plan', sheet.path, '--do', kind.words, '--save', plan, '-o', 'json'];
    if ((await this.begin(about, words)).exit !== 0) return;
    const how = dice.of(['as it is', 'edited', 'sorted'] as const);
    if (how === 'edited') writeFileSync(plan, readFileSync(plan, 'utf8').replaceAll(`${MORE + 12}`, `${MORE + 13}`));
    const sorted = how === 'sorted' ? [(await world.sheet(kind, wishes.toReversed(), sheet.format)).path] : [];
    const run = await this.begin(about, ['batch', 'run', ...sorted, '--plan', plan, '--yes', '-o', 'json']);
    this.count(`edge: a plan ${how}`);
    const { made } = world.service;
    if (how === 'edited' && made.some(({ by }) => by === run.work.number))
      this.breaks(`${run.work.number} sent what was edited`);
    const batch = batchOf(run);
    if (batch === undefined) return;
    for (const { result, ...row } of await world.resultOf(0, 'shop', batch)) {
      const own = made.find(({ id }) => id === result?.id)?.content;
      const content = wishIn(JSON.stringify(row))?.content;
      if (own !== undefined && own !== content) this.breaks(`row ${content} of ${batch} tells of the record of ${own}`);
    }
  }

  async step(restore: (() => boolean) | undefined): Promise<(() => boolean) | undefined> {
    const { dice, world } = this;
    const deed = dice.of([
      'send',
      'send',
      'send',
      'page',
      'page',
      'end',
      'settle',
      'batch',
      'keep',
      'restore',
    ] as const);
    if (deed === 'page') for (let forms = dice.upTo(3); forms > 0; forms -= 1) await this.page();
    else if (deed === 'send') await this.send(1, this.named && dice.chance(0.3) ? LONG : '');
    else if (deed === 'end') await this.end();
    else if (deed === 'settle') await this.settle();
    else if (deed === 'batch') await this.onBatch();
    else if (deed === 'keep') {
      const { length } = world.service.made;
      const back = world.backUp(0);
      return back === undefined ? restore : () => back() && this.#losesSince(length);
    } else if (restore !== undefined && this.kind.isOrder) {
      if (!restore()) return restore;
      world.tell('a backup is put back');
      this.count('edge: backup put back');
      return undefined;
    }
    return restore;
  }

  /** A stranger's record, which nobody here may touch. */
  async stranger(): Promise<void> {
    const { world, kind } = this;
    const preference = { ...this.preference(STRANGER), name: this.named ? 'STRANGER' : '' };
    const words = [...kind.words.split(' '), '--input', world.input(kind, preference), '--yes', '-o', 'json'];
    if (kind.title === 'ship') words.push('--pick', 'cheapest');
    const profile = kind.byPartner ? 'test' : 'shop';
    const machine = world.machines.length - 1;
    const task = await world.begin({ verb: 'stranger', machine, profile, kind }, words, {
      terminal: false,
      stop: undefined,
    });
    await task.settled(true);
    this.#odd.stranger = world.service.made.find(({ content }) => content === this.contentOf(preference))?.id ?? '';
  }

  async judge(): Promise<void> {
    const there = await this.live();
    const beside = there.filter(({ subject }) => subject >= MORE).map(({ content }) => content);
    for (const content of new Set(beside)) {
      const makers = there.filter((one) => one.content === content).map(({ by }) => by);
      if (makers.length > 1) this.breaks(`${makers.length} ${content} are there, made by ${makers.join(' ')}`);
    }
    if (this.#odd.stranger === '') return;
    if (!there.some(({ id }) => id === this.#odd.stranger))
      this.breaks(`the stranger’s record ${this.#odd.stranger} is gone`);
    if (this.world.service.changed.some(({ id }) => id === this.#odd.stranger))
      this.breaks('the stranger’s record was changed');
  }
}

const edgeKinds = kinds.filter(({ title }) => ['ship', 'orders', 'customers', 'shipnow'].includes(title));

/** Plays the world of a seed at the edges, and judges it by what is at the service. */
export async function playEdges(seed: number, hands: Hands): Promise<Played> {
  const dice = new Dice(seed);
  const kind = dice.of([...edgeKinds, ...edgeKinds.slice(0, 3)]);
  const named = kind.takesNames && dice.chance(0.4);
  const first = dice.of(['', '', '', 'copied', 'astray', 'planned', 'moved', 'moved'] as const);
  const machines = first === 'moved' ? 3 : 2;
  const world = await World.open(hands, { seed, machines, cutsNotes: false, keepsNamesUnique: true });
  try {
    const edges = new Edges(dice, world, kind, named, hands.now);
    world.tell(`${seed}: at the edges, ${kind.title}${named ? ', named' : ''}`);
    await edges.stranger();
    if (first !== '') await edges[first]();
    await edges.send(1);
    let restore: (() => boolean) | undefined;
    for (let steps = 1 + dice.upTo(5); steps > 0; steps -= 1) restore = await edges.step(restore);
    world.calm();
    await edges.send(1);
    await edges.judge();
    const counts = new Map([
      ...edges.counts,
      ['worlds at the edges', 1] as const,
      ['told wrongly', edges.broken.length] as const,
    ]);
    return { seed, trace: world.trace, broken: edges.broken, counts, records: world.service.made.length };
  } catch (error) {
    const stack = error instanceof Error ? String(error.stack) : String(error);
    return { seed, trace: world.trace, broken: [stack], counts: new Map([['told wrongly', 1]]), records: 0 };
  } finally {
    await world.close();
  }
}
