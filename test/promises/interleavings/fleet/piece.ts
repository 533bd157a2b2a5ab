import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { TransportError } from '../../../../src/platform/http/transport.ts';
import { wishIn } from '../kinds.ts';
import { createdBy, type Service } from '../service.ts';
import type { Piece, Stop, Work } from '../work.ts';
import type { Fleet, Hand } from './fleet.ts';
import type { FromProcess, SentRequest } from './messages.ts';

interface Held {
  readonly call: number;
  /** The answer to a question. */
  readonly says: string | boolean;
  readonly request: SentRequest | undefined;
  readonly answer: Promise<unknown> | undefined;
}

/** How long nothing is heard of a piece of work that waits for another one, and how little it works meanwhile. */
const QUIET_MS = 200;
const IDLE_TICKS = 3;
/** So long without a request or an end is waiting, too, however busily it looks. */
const BUSY_MS = 2_500;
const LONGEST_MS = 60_000;

/** The processor time that a process has used, in the system's ticks; undefined while it works at this moment. */
function ticksOf(pid: number): number | undefined {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const fields = after.split(' ');
    return fields[0] === 'S' ? Number(fields[11]) + Number(fields[12]) : undefined;
  } catch {
    return 0;
  }
}

/** A piece of work in a process of the fleet. */
export class FleetPiece implements Piece {
  readonly work: Work;
  stdout = '';
  stderr = '';
  exit: number | undefined;
  ended: 'by itself' | 'killed' | undefined;
  wasInterrupted = false;
  readonly beganAt = Date.now();
  endedAt: number | undefined;
  /** What it asked the service to make, one text a request. */
  readonly sent: string[] = [];
  readonly #service: Service;
  readonly #fleet: Fleet;
  #hand: Hand | undefined;
  #stop: Stop | undefined;
  #standing = false;
  #held: Held[] = [];
  #pipe: number | undefined;
  #passed = 0;
  #heard = Date.now();
  readonly #over: Promise<void>;
  #finish: () => void = () => {};

  constructor(work: Work, service: Service, fleet: Fleet) {
    this.work = work;
    this.#service = service;
    this.#fleet = fleet;
    this.#stop = work.stop;
    this.#over = new Promise((done) => {
      this.#finish = done;
    });
  }

  get isStanding(): boolean {
    return this.#standing && this.ended === undefined;
  }

  /** Begins; resolves when it stands, has ended, or waits for somebody else. */
  async begin(): Promise<void> {
    const { argv, directory, terminal, number, pipe, env = {} } = this.work;
    const hand = await this.#fleet.take();
    this.#hand = hand;
    if (pipe !== undefined) {
      execFileSync('mkfifo', [pipe.path]);
      this.#pipe = openSync(pipe.path, constants.O_RDWR);
      writeSync(this.#pipe, pipe.text.slice(0, Math.ceil(pipe.text.length / 2)));
    }
    hand.listener = (message) => this.#hear(message);
    const { stop } = this.work;
    hand.send({
      type: 'run',
      argv,
      env: { SHOPCTL_CONFIG_DIR: directory, ...env },
      stdin: '',
      terminal,
      directory,
      seed: `piece ${number} of ${directory}`,
      killAtStore: stop?.at === 'store' ? stop.nth : undefined,
    });
    await this.settled();
  }

  /** Resolves when it stands, has ended, or nothing has been heard of it for a while. */
  async settled(patient = false): Promise<void> {
    const since = Date.now();
    let quiet = { since, ticks: ticksOf(this.#hand?.pid ?? 0) };
    while (this.ended === undefined && !this.#standing) {
      await Promise.race([this.#over, new Promise((done) => setTimeout(done, 5))]);
      if (this.#pipe !== undefined && this.#stop?.at === 'file' && this.#readsPipe()) this.#stand();
      const [now, ticks] = [Date.now(), ticksOf(this.#hand?.pid ?? 0)];
      const works = ticks === undefined || quiet.ticks === undefined || ticks - quiet.ticks > IDLE_TICKS;
      if (works || this.#heard > quiet.since) quiet = { since: now, ticks };
      if (!patient && (now - quiet.since > QUIET_MS || now - Math.max(this.#heard, since) > BUSY_MS)) return;
      if (now - since > LONGEST_MS) throw new Error(`${this.work.argv.join(' ')} does not end`);
    }
  }

  /** Goes on; `cut` closes the connection of the request at which it stands. */
  async goOn(how: 'pass' | 'cut', patient = false): Promise<void> {
    if (this.ended !== undefined) return;
    const held = this.#held.splice(0);
    this.#standing = false;
    this.#stop = undefined;
    this.#releasePipe();
    for (const [index, one] of held.entries()) this.#release(one, index === 0 && how === 'cut');
    await this.settled(patient);
  }

  /** Ctrl-C; then what it waits for comes, or does not. */
  async interrupt(how: 'pass' | 'cut'): Promise<void> {
    if (this.ended !== undefined) return;
    this.wasInterrupted = true;
    this.#hand?.send({ type: 'interrupt' });
    const [first] = this.#held;
    if (first !== undefined && first.request === undefined) {
      this.#held.shift();
      this.#hand?.send({ type: 'leave', call: first.call });
    }
    await this.goOn(how);
  }

  /** A power cut: nothing more of it reaches anybody, but for a request that is on its way. */
  async kill(requestArrives: boolean): Promise<void> {
    if (this.ended !== undefined) return;
    for (const { request, answer } of this.#held) {
      if (request === undefined || createdBy(request.url) === undefined) continue;
      if (requestArrives && answer === undefined) this.#service.keepLate(request, this.work.number);
    }
    await this.#hand?.kill();
    this.#end('killed');
  }

  #readsPipe(): boolean {
    try {
      const files = `/proc/${this.#hand?.pid}/fd`;
      return readdirSync(files).some((name) => readlinkSync(`${files}/${name}`) === this.work.pipe?.path);
    } catch {
      return false;
    }
  }

  #releasePipe(): void {
    if (this.#pipe === undefined) return;
    const { pipe } = this.work;
    if (pipe !== undefined) writeSync(this.#pipe, pipe.text.slice(Math.ceil(pipe.text.length / 2)));
    closeSync(this.#pipe);
    this.#pipe = undefined;
  }

  #stand(): void {
    this.#standing = true;
  }

  #end(how: 'by itself' | 'killed'): void {
    if (this.ended !== undefined) return;
    this.ended = how;
    this.endedAt = Date.now();
    if (this.#pipe !== undefined) closeSync(this.#pipe);
    this.#pipe = undefined;
    if (how === 'killed') this.#service.lost.push(...this.sent);
    this.#finish();
  }

  #hear(message: FromProcess | { readonly type: 'gone' }): void {
    if (message.type !== 'stdout' && message.type !== 'stderr') this.#heard = Date.now();
    switch (message.type) {
      case 'stdout':
      case 'stderr':
        this[message.type] += message.text;
        return;
      case 'ended':
        this.exit = message.exit;
        if (message.error !== undefined) this.stderr += message.error;
        this.#end('by itself');
        if (this.#hand !== undefined) this.#fleet.giveBack(this.#hand);
        return;
      case 'gone':
        this.#end('killed');
        return;
      case 'question':
      case 'request':
        this.#asked(message);
    }
  }

  #asked(message: FromProcess & { type: 'question' | 'request' }): void {
    const request = message.type === 'request' ? message.request : undefined;
    const isCreate = request !== undefined && createdBy(request.url) !== undefined;
    const preference = isCreate ? wishIn(request.body) : undefined;
    if (preference !== undefined) this.sent.push(preference.content);
    const says = message.type === 'question' && message.kind !== 'confirm' ? message.initial : true;
    const held: Held = { call: message.call, says, request, answer: undefined };
    if (this.#standing) {
      this.#held.push(held);
      return;
    }
    const kind = request === undefined ? 'question' : isCreate ? 'create' : 'read';
    if (this.#stop?.at === kind) {
      this.#passed += 1;
      if (this.#passed === this.#stop.nth) {
        const happens = this.#stop.happened && request !== undefined;
        const answer = happens ? this.#service.answer(request, this.work.number) : undefined;
        answer?.catch(() => {});
        this.#held.push({ ...held, answer });
        this.#stand();
        return;
      }
    }
    this.#release(held, false);
  }

  /** Answers what it asked. */
  #release({ call, request, answer, says }: Held, cut: boolean): void {
    if (request === undefined) {
      this.#hand?.send({ type: 'answer', call, value: says });
      return;
    }
    const preference = wishIn(request.body);
    if (cut && preference !== undefined && createdBy(request.url) !== undefined)
      this.#service.lost.push(preference.content);
    if (cut) {
      this.#hand?.send({ type: 'cut', call });
      return;
    }
    const hand = this.#hand;
    (answer ?? this.#service.answer(request, this.work.number)).then(
      (value) => hand?.send({ type: 'answer', call, value: value as never }),
      // Where nobody listens nothing was sent, and the process knows that.
      (error) => hand?.send({ type: error instanceof TransportError && error.sent === 'no' ? 'unsent' : 'cut', call }),
    );
  }
}
