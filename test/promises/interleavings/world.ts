import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsIn } from '../../../src/platform/settings/node-settings.ts';
import { randomFrom } from '../../support/random-from.ts';
import { type Format, fileOf, type Kind, type Preference, wishIn } from './kinds.ts';
import { openService, type Service } from './service.ts';
import type { Hands, Piece, Work } from './work.ts';

/** A file of rows, and how its batch was begun. */
export interface Sheet {
  readonly path: string;
  readonly wishes: readonly Preference[];
  readonly format: Format;
  /** Whether its columns stand the other way round. */
  readonly turned: boolean;
}

/** What a piece of work is about. */
export interface About {
  readonly verb: string;
  readonly machine: number;
  readonly profile: string;
  readonly kind: Kind;
  readonly sheet?: Sheet | undefined;
  readonly preference?: Preference | undefined;
  /** What the write asked for that a person said to be done. */
  readonly settled?: Preference | undefined;
  /** Whether what was sent before is to be sent anew. */
  readonly again?: boolean;
  /** Whether its rows belong to such a batch, which it goes on with. */
  readonly anew?: boolean;
  /** The record that it ends. */
  readonly record?: string;
  /** Whether a row was done with that record before. */
  readonly wasDone?: boolean;
  /** The record that it changes, and to what. */
  readonly change?: { readonly id: string; readonly value: string };
  /** What its rows change, and how many changes there were before it began. */
  readonly updates?: readonly { readonly id: string; readonly value: string }[];
  readonly since?: number;
  /** The batch, where the command names one. */
  readonly batch?: string | undefined;
}

export type Task = Piece & {
  readonly about: About;
  /** The pieces of work that had told nobody what they have made when it began: under way, killed, or with rows left open. */
  readonly untold: ReadonlySet<number>;
};

/** One row as its batch tells it. */
export interface Row {
  readonly batch: string;
  /** Its number in the batch. */
  readonly number: number;
  readonly machine: number;
  readonly subject: number;
  readonly content: string;
  readonly state: string;
  readonly id: string | null;
  readonly error: string | null;
  /** The name that the caller gave, or none. */
  readonly name: string;
}

/** A batch as it tells itself. */
export interface Reported {
  readonly id: string;
  readonly machine: number;
  readonly profile: string;
  /** The profile that it was listed with. */
  readonly seenBy: string;
  readonly state: string;
  readonly do: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly fees: number | null;
  readonly rows: readonly Row[];
}

const baseUrl = 'http://127.0.0.1:4010';

/** Chances, in one sequence for a seed. */
export class Dice {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
    for (let warm = 0; warm < 3; warm += 1) this.next();
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  upTo(most: number): number {
    return 1 + Math.floor(this.next() * most);
  }

  of<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new RangeError('nothing to choose from');
    return values[Math.floor(this.next() * values.length)] as Value;
  }

  shuffled<Value>(values: readonly Value[]): Value[] {
    return values
      .map((value) => [this.next(), value] as const)
      .sort(([one], [other]) => one - other)
      .map(([, value]) => value);
  }
}

/** A service, machines that reach it, and everything that was begun on them. */
export class World {
  readonly service: Service;
  readonly tasks: Task[] = [];
  readonly trace: string[] = [];
  readonly machines: string[] = [];
  readonly scratch: string;
  readonly #hands: Hands;
  readonly #workspace: string | undefined;
  /** Where the ledgers of machines lie that were moved. */
  readonly #moved = new Map<number, string>();
  #files = 0;

  private constructor(service: Service, hands: Hands, workspace: string | undefined) {
    this.service = service;
    this.#hands = hands;
    this.#workspace = workspace;
    this.scratch = hands.openScratch();
  }

  static async open(
    hands: Hands,
    given: {
      readonly seed: number;
      readonly machines: number;
      readonly cutsNotes: boolean;
      readonly keepsNamesUnique: boolean;
      readonly workspace?: string | undefined;
    },
  ): Promise<World> {
    const service = await openService(`${given.seed}`, hands.now, given);
    const world = new World(service, hands, given.workspace);
    for (let number = 0; number < given.machines; number += 1) await world.#newMachine();
    return world;
  }

  async #newMachine(): Promise<void> {
    const directory = join(this.scratch, `machine-${this.machines.length}`);
    mkdirSync(directory, { recursive: true });
    await this.#saveSettings(directory);
    await this.#hands.newMachine?.(directory);
    this.machines.push(directory);
  }

  /** Writes the settings of a machine, and nothing that a ledger has added. */
  async #saveSettings(directory: string): Promise<void> {
    const { keys, shop } = this.service;
    const partner = {
      kind: 'partner' as const,
      base_url: baseUrl,
      api_key: keys.partner,
      shops: { [shop.id]: { name: shop.name, shop_key: keys.shopKey } },
      current_shop: shop.id,
    };
    const own = { kind: 'shop' as const, base_url: baseUrl, api_key: keys.shop };
    // The same service by the other name of its address.
    const elsewhere = { base_url: baseUrl.replace('127.0.0.1', 'localhost') };
    const profiles = {
      ...{ test: partner, test2: partner, shop: own, shop2: own },
      ...{ test3: { ...partner, ...elsewhere }, shop3: { ...own, ...elsewhere } },
    };
    const settings = settingsIn(directory);
    // An update keeps what it does not name.
    await settings.reset();
    await settings.update(() => ({ version: 1, current_profile: 'test', profiles }));
  }

  get formats(): readonly Format[] {
    return this.#hands.formats;
  }

  /** How many ledgers its machines have: they may share one. */
  get ledgers(): number {
    return this.#workspace === undefined ? this.machines.length : 1;
  }

  /** Writes a file of rows. */
  async sheet(kind: Kind, wishes: readonly Preference[], format: Format, turned = false): Promise<Sheet> {
    const records = wishes.map((preference) => kind.record(preference, this.service.parents));
    const path = await this.file(records, format, turned);
    const tellOf = ({ subject, variant, note }: Preference) => `${subject}/${variant}/${note.slice(0, 8)}`;
    this.tell(`  rows-${this.#files}: ${wishes.map(tellOf).join(' ')}`);
    return { path, wishes, format, turned };
  }

  /** Writes a file of records; returns its path. */
  async file(records: readonly Readonly<Record<string, unknown>>[], format: Format, turned: boolean): Promise<string> {
    this.#files += 1;
    const path = join(this.scratch, `rows-${this.#files}.${format}`);
    writeFileSync(path, await fileOf(records, format, turned));
    return path;
  }

  /** Writes the request of one command, by the kind's other one where it is asked for. */
  input(kind: Kind, preference: Preference, other?: Kind['other']): string {
    this.#files += 1;
    const path = join(this.scratch, `one-${this.#files}.json`);
    // Numbers, which a sheet has as texts, are numbers in a request.
    const value = (key: string, one: unknown) =>
      ['quantity', 'retail_price', 'payment_price', 'list_price', 'gross_weight', 'cod_amount'].includes(key)
        ? Number(one)
        : one;
    this.tell(`  one-${this.#files}: ${preference.subject}/${preference.variant}/${preference.note.slice(0, 8)}`);
    const record = kind.record(preference, this.service.parents);
    const request = other?.request(record, this.service.parents) ?? { ...record, ...kind.whole?.(record) };
    writeFileSync(path, JSON.stringify(request, value));
    return path;
  }

  /** From now on a machine has its ledger where another one has its own. */
  moved(machine: number, to: number): void {
    this.#moved.set(machine, join(this.machines[to] ?? '', 'state'));
  }

  /** What tells a machine's commands where its ledger is; the place before a move is its usual one. */
  #envOf(machine: number, place: string | undefined = this.#moved.get(machine)): Readonly<Record<string, string>> {
    if (this.#workspace !== undefined) return { SHOPCTL_WORKSPACE: this.#workspace };
    return place === undefined ? {} : { SHOPCTL_STATE_DIR: place };
  }

  /** Begins a piece of work; resolves when it stands, has ended or waits. */
  async begin(
    about: About,
    words: readonly string[],
    how: Pick<Work, 'terminal' | 'stop'> & { readonly place?: string },
  ): Promise<Task> {
    const number = this.tasks.length;
    let argv = [...words, '--profile', about.profile];
    let pipe: Work['pipe'];
    if (how.stop?.at === 'file' && about.sheet !== undefined) {
      const path = join(this.scratch, `pipe-${number}`);
      pipe = { path, text: readFileSync(about.sheet.path, 'utf8') };
      argv = [...argv.map((word) => (word === about.sheet?.path ? path : word)), '--format', about.sheet.format];
    }
    const directory = this.machines[about.machine] ?? '';
    const { terminal, stop: stops, place } = how;
    const env = this.#envOf(about.machine, place);
    const piece = this.#hands.piece({ number, argv, directory, pipe, env, terminal, stop: stops }, this.service);
    // What is unfinished, or unknown, is settled first, whoever asks for another one.
    const isOpen = ({ exit }: Task) => exit === 10 || exit === 130;
    const isUntold = (one: Task) => one.ended === undefined || one.ended === 'killed' || isOpen(one);
    const untold = new Set(this.tasks.flatMap((one, index) => (isUntold(one) ? [index] : [])));
    const task = Object.assign(piece, { about, untold });
    this.tasks.push(task);
    await task.begin();
    const { at, nth, happened } = how.stop ?? {};
    const stop = at === undefined ? '' : ` [stops at ${at} ${nth}${happened ? ', happened' : ''}]`;
    this.tell(
      `${number}${this.machines.length > 1 ? ` on ${about.machine}` : ''}: ${argv.join(' ').replaceAll(`${this.scratch}/`, '')}${stop} -> ${this.stateOf(task)}`,
    );
    return task;
  }

  stateOf(task: Task): string {
    if (task.isStanding) return 'stands';
    if (task.ended === undefined) return 'waits';
    return task.ended === 'killed' ? 'killed' : `exit ${task.exit}`;
  }

  /** Whether a row of a machine is done with this record, as far as that can be seen. */
  async isDone(machine: number, id: string): Promise<boolean> {
    return (await this.#hands.isDone?.(this.machines[machine] ?? '', id)) === true;
  }

  /** Copies the store of a machine; what it returns puts the copy back. Undefined where that cannot be. */
  backUp(machine: number): (() => boolean) | undefined {
    if (this.#moved.has(machine)) return undefined;
    return this.#hands.backUp?.(this.machines[machine] ?? '');
  }

  /** The service is back, and nobody is killed any more. */
  calm(): void {
    this.service.faults.clear();
    this.#hands.calm?.();
  }

  tell(line: string): void {
    this.trace.push(line);
    this.#hands.tell?.(line);
  }

  /** A command that only looks, without a fault of the service. */
  async look(machine: number, profile: string, words: readonly string[]): Promise<Piece> {
    const directory = this.machines[machine] ?? '';
    const env = this.#envOf(machine);
    const argv = [...words, '--profile', profile];
    const piece = this.#hands.piece({ number: -1, argv, directory, terminal: false, env }, this.service);
    await piece.begin();
    await piece.settled(true);
    return piece;
  }

  /** The batches of all machines, as they tell themselves, without their rows. Two profiles of one account see the same. */
  async batches(profiles: readonly string[]): Promise<Reported[]> {
    const reported = new Map<string, Reported>();
    const accounts = new Set(profiles.map((profile) => profile.replace(/\d$/, '')));
    for (const machine of this.machines.keys()) {
      for (const profile of accounts) {
        const listed = await this.look(machine, profile, ['batch', 'list', '-o', 'json']);
        if (listed.exit !== 0) {
          this.tell(`batch list: exit ${listed.exit} ${listed.stderr}`);
          continue;
        }
        for (const each of JSON.parse(listed.stdout || '[]')) {
          const key = `${this.#workspace === undefined ? machine : ''} ${each.batch}`;
          if (reported.has(key)) continue;
          reported.set(key, {
            id: each.batch,
            machine,
            seenBy: profile,
            profile: this.tasks.find((task) => task.stderr.includes(each.batch))?.about.profile ?? profile,
            state: each.state,
            do: each.do,
            counts: each.counts,
            fees: each.fees?.total ?? null,
            rows: [],
          });
        }
      }
    }
    return [...reported.values()];
  }

  /** The same batches with what each tells of its rows. */
  async withRows(batches: readonly Reported[], kind: Kind): Promise<Reported[]> {
    const reported: Reported[] = [];
    for (const batch of batches) {
      const rows = await this.#rowsOf(batch.machine, batch.seenBy, batch.id, kind);
      reported.push({ ...batch, rows });
    }
    return reported;
  }

  /** The rows of a batch as its result file has them. */
  async resultOf(machine: number, profile: string, batch: string) {
    this.#files += 1;
    const path = join(this.scratch, `result-${this.#files}.jsonl`);
    const written = await this.look(machine, profile, ['batch', 'result', batch, '--to', path]);
    const lines = written.exit === 0 ? readFileSync(path, 'utf8').split('\n') : [];
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  async #rowsOf(machine: number, profile: string, batch: string, kind: Kind): Promise<Row[]> {
    const rows: Row[] = [];
    for (const { result, ...record } of await this.resultOf(machine, profile, batch)) {
      const preference = wishIn(JSON.stringify(record));
      if (preference === undefined || result === undefined) continue;
      const { state, id, error } = result;
      rows.push({
        batch,
        number: rows.length + 1,
        machine,
        ...preference,
        state,
        id,
        error,
        name: kind.takesNames ? String(record.external_id ?? '') : '',
      });
    }
    return rows;
  }

  async close(): Promise<void> {
    for (const task of this.tasks) await task.kill(false);
    await this.service.close();
    this.#hands.closeScratch(this.scratch);
  }
}
