import type { ListenForPages } from '../../src/platform/server/http-server.ts';

/** Something a process waits for; the scheduler decides when it happens. */
export interface Pending {
  readonly process: SimProcess;
  readonly kind: 'start' | 'store' | 'request' | 'answer' | 'question' | 'file' | 'output' | 'timer';
  readonly label: string;
  /** For a timer, when it is over by the time of the world. */
  readonly due?: number;
  /** Makes it happen, and lets the process go on. */
  happen(): void | Promise<void>;
  /** The same, but the process is not told: it was killed in between. */
  happenUntold(): void | Promise<void>;
  /** A request that was held goes on without its answer. */
  cut?(): void;
}

/** A connection to a file, as far as a crash has to know it. */
interface Closable {
  close(): void;
}

/** One process: all its objects, what it waits for and what the system would take back from it. */
export class SimProcess {
  readonly number: number;
  readonly world: SimWorld;
  alive = true;
  /** While true, nothing that reaches others happens: it stands at a point that was asked for. */
  standing = false;
  /** Whether it only looks: nothing befalls it. */
  isSpared = false;
  /** Milliseconds by which its clock is ahead of the time of the world. */
  ahead = 0;
  /** From this moment on, until it is over, the disk has no room. */
  diskIsFull = false;
  /** Whether that ever befell it. */
  diskWasFull = false;
  /** What it serves to pages. */
  pages: Parameters<ListenForPages>[0] | undefined;
  readonly connections = new Set<Closable>();
  /** How many statements it has written to its store with. */
  written = 0;
  /** The number of the writing statement at which it is killed. */
  killAtStore: number | undefined;
  onKilled: () => void = () => {};
  #chances = 0;

  constructor(world: SimWorld, number: number) {
    this.world = world;
    this.number = number;
  }

  /** Where its randomness begins and how far it has come. */
  nextChance(): string {
    this.#chances += 1;
    return `${this.world.seed} ${this.number} ${this.#chances}`;
  }

  /** What it writes now finds no room; the next write may. */
  fillDisk(): void {
    this.diskIsFull = false;
    this.diskWasFull = true;
  }

  now(): number {
    return this.world.now + this.ahead;
  }

  /** Waits until the scheduler lets it happen; a process that was killed waits for ever. */
  waitFor<Value>(
    kind: Pending['kind'],
    label: string,
    effect: () => Value | Promise<Value>,
    given: { readonly due?: number; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Value> {
    const { world } = this;
    // Whoever looks from outside waits for nobody.
    if (this === world.outside) return Promise.resolve().then(effect);
    return new Promise<Value>((resolve, reject) => {
      const { due, signal } = given;
      const onAbort = () => {
        world.forget(pending);
        reject(signal?.reason);
      };
      const run = async (): Promise<() => void> => {
        try {
          const value = await effect();
          return () => resolve(value);
        } catch (error) {
          return () => reject(error);
        }
      };
      const pending: Pending = {
        process: this,
        kind,
        label,
        ...(due === undefined ? {} : { due }),
        async happen() {
          signal?.removeEventListener('abort', onAbort);
          const settle = await run();
          settle();
        },
        async happenUntold() {
          await run();
        },
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      world.add(pending);
    });
  }

  /** Like a power cut: its objects are gone, its transactions are undone and its locks are free. */
  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    this.world.forgetAll(this);
    for (const connection of this.connections) connection.close();
    this.connections.clear();
    this.onKilled();
  }
}

/** What the substitutes of the platform stand in: the world that is played, and whose turn it is. */
export const stage: { world: SimWorld | undefined; process: SimProcess | undefined; immediates: number } = {
  world: undefined,
  process: undefined,
  immediates: 0,
};

/** The process whose turn it is; between turns, whoever looks at the world from outside. */
export function processNow(): SimProcess {
  const process = stage.process ?? stage.world?.outside;
  if (process === undefined) throw new Error('there is no world');
  return process;
}

const turn = globalThis.setImmediate;

/** Resolves when nothing goes on any more without a decision of the scheduler. */
async function quiet(): Promise<void> {
  do await new Promise<void>((resolve) => turn(resolve));
  while (stage.immediates > 0);
}

/** Chances of a world, in one sequence. */
export interface Chances {
  next(): number;
  chance(share: number): boolean;
  of<Value>(values: readonly Value[]): Value;
}

/** Time, and the order of everything that its processes wait for. */
export class SimWorld {
  readonly seed: number;
  readonly chances: Chances;
  readonly tell: (line: string) => void;
  now: number;
  steps = 0;
  /** How likely a step kills the process whose turn it is. */
  crashes = 0;
  /** How likely a step moves the clock of the process whose turn it is. */
  jumps = 0;
  /** How likely a write meets a disk without room. */
  fullDisks = 0;
  readonly seen = new Map<string, number>();
  #pending: Pending[] = [];
  #last: Promise<unknown> = Promise.resolve();
  readonly #processes: SimProcess[] = [];
  /** Who looks at the world from outside. */
  readonly outside = this.process();

  constructor(seed: number, chances: Chances, starts: number, tell: (line: string) => void) {
    this.seed = seed;
    this.chances = chances;
    this.now = starts;
    this.tell = tell;
  }

  /** From now on nothing befalls anybody. */
  calm(): void {
    this.crashes = 0;
    this.jumps = 0;
    this.fullDisks = 0;
  }

  process(): SimProcess {
    const made = new SimProcess(this, this.#processes.length);
    this.#processes.push(made);
    return made;
  }

  count(name: string): void {
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
  }

  isAlive(pid: number): boolean {
    return this.#processes[pid - FIRST_PID]?.alive === true;
  }

  add(pending: Pending): void {
    if (pending.process.alive) this.#pending.push(pending);
  }

  forget(pending: Pending): void {
    this.#pending = this.#pending.filter((one) => one !== pending);
  }

  forgetAll(process: SimProcess): void {
    this.#pending = this.#pending.filter((one) => one.process !== process);
  }

  /** What a process that stands was about to do outside. */
  heldOf(process: SimProcess): readonly Pending[] {
    return this.#pending.filter((one) => one.process === process && isHeld(one));
  }

  /** One thing at a time, whoever asks for it. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => {});
    return next;
  }

  /** Does something in the name of a process, until it waits for the scheduler again. */
  as(process: SimProcess, work: () => void | Promise<void>): Promise<void> {
    return this.#inTurn(() => this.#as(process, work));
  }

  async #as(process: SimProcess, work: () => void | Promise<void>): Promise<void> {
    stage.world = this;
    stage.process = process;
    await work();
    await quiet();
    stage.process = undefined;
  }

  /** Lets one thing happen: `idle` if that was only time that passed, `none` if there is nothing to happen. */
  step(): Promise<'moved' | 'idle' | 'none'> {
    return this.#inTurn(() => this.#step());
  }

  async #step(): Promise<'moved' | 'idle' | 'none'> {
    const ready = this.#pending.filter(
      (one) => !(one.process.standing && isHeld(one)) && (one.due === undefined || one.due <= this.now),
    );
    let next: Pending | undefined;
    const isIdle = ready.length === 0;
    if (isIdle) {
      for (const one of this.#pending) {
        if (one.due !== undefined && (next?.due === undefined || one.due < next.due)) next = one;
      }
      if (next?.due === undefined) return 'none';
      this.now = next.due;
    } else next = this.chances.of(ready);
    this.now += 1;
    this.steps += 1;
    await this.#let(next);
    return isIdle ? 'idle' : 'moved';
  }

  async #let(pending: Pending): Promise<void> {
    const { process, kind, label } = pending;
    this.forget(pending);
    const writes = kind === 'store' && isWrite(label);
    if (writes) process.written += 1;
    const isLast = process.killAtStore !== undefined && process.written >= process.killAtStore;
    const isCrash = kind !== 'start' && !process.isSpared && this.crashes > 0 && this.chances.chance(this.crashes);
    if ((writes && isLast) || isCrash) {
      const happened = this.chances.chance(0.5);
      this.tell(`    ${process.number} ${label}: killed ${happened ? 'after' : 'before'} it`);
      if (happened) await this.#as(process, () => pending.happenUntold());
      if (happened && label === 'commit') this.count('killed after a commit');
      process.kill();
      return;
    }
    if (this.jumps > 0 && !process.isSpared && this.chances.chance(this.jumps)) {
      process.ahead += Math.floor((this.chances.next() - 0.5) * 2 * 90_000_000);
      this.count('clock set');
      this.tell(`    the clock of ${process.number} is set to ${new Date(process.now()).toISOString()}`);
    }
    process.diskIsFull = writes && !process.isSpared && this.fullDisks > 0 && this.chances.chance(this.fullDisks);
    this.tell(`    ${process.number} ${label}${process.diskIsFull ? ': the disk is full' : ''}`);
    await this.#as(process, () => pending.happen());
  }
}

export const FIRST_PID = 1_000;

const isWrite = (label: string) => /^(?:insert|update|delete|commit|begin|release)/i.test(label);

/** What reaches somebody outside of the process and its disk. */
function isHeld({ kind }: Pending): boolean {
  return kind === 'request' || kind === 'answer' || kind === 'question' || kind === 'file';
}
