import { writeFileSync } from 'node:fs';
import { run } from '../../src/main.ts';
import { TransportError, type WireRequest, type WireResponse } from '../../src/platform/http/transport.ts';
import { PromptEnded } from '../../src/platform/terminal/prompter.ts';
import type { SentRequest } from '../promises/interleavings/fleet/messages.ts';
import { wishIn } from '../promises/interleavings/kinds.ts';
import { createdBy, type Service } from '../promises/interleavings/service.ts';
import type { Piece, Stop, Work } from '../promises/interleavings/work.ts';
import { contextOf } from './context-of.ts';
import type { SimProcess, SimWorld } from './scheduler.ts';

/** So often time alone may pass before a piece of work counts as waiting for somebody else. */
const MOST_IDLE = 6;
/** The same where it is waited for to the end. */
const MOST_IDLE_AT_LAST = 4_000;
const MOST_STEPS = 60_000;
/** A person who is asked so often leaves. */
const MOST_QUESTIONS = 40;

const closed = () => new TransportError('closed', 'maybe', 'the connection was closed');

/** A request that has left and has no answer yet. */
interface Sent {
  readonly request: SentRequest;
  isCut: boolean;
  hasArrived: boolean;
}

/** A piece of work in a process of the simulation. */
export class SimPiece implements Piece {
  readonly work: Work;
  stdout = '';
  stderr = '';
  exit: number | undefined;
  ended: 'by itself' | 'killed' | undefined;
  wasInterrupted = false;
  answered: string | undefined;
  beganAt: number | undefined;
  endedAt: number | undefined;
  readonly sent: string[] = [];
  readonly #world: SimWorld;
  readonly #service: Service;
  readonly #process: SimProcess;
  readonly #stopping = new AbortController();
  readonly #open = new Set<Sent>();
  #questions: (() => void)[] = [];
  #stop: Stop | undefined;
  /** Whether a page waits for its answer. */
  #isAsked = false;
  #passed = 0;
  #asked = 0;
  #mayStop = true;

  constructor(work: Work, service: Service, world: SimWorld) {
    this.work = work;
    this.#service = service;
    this.#world = world;
    this.#process = world.process();
    this.#process.onKilled = () => this.#end('killed');
    this.#process.isSpared = work.number < 0;
    this.#stopAt(work.stop);
  }

  #stopAt(stop: Stop | undefined): void {
    this.#stop = stop;
    this.#passed = 0;
    this.#mayStop = true;
    this.#process.killAtStore = stop?.at === 'store' ? this.#process.written + stop.nth : undefined;
  }

  get clockWasSet(): boolean {
    return this.#process.ahead !== 0;
  }

  get diskWasFull(): boolean {
    return this.#process.diskWasFull;
  }

  get isStanding(): boolean {
    return this.#process.standing && this.ended === undefined;
  }

  /** Whether it goes on only when a page asks it. */
  get #rests(): boolean {
    return this.#process.pages !== undefined && !this.#isAsked;
  }

  async ask(path: string, sent: object | undefined, stop?: Stop): Promise<void> {
    const { pages } = this.#process;
    this.answered = undefined;
    if (pages === undefined || this.ended !== undefined) return;
    this.#stopAt(stop);
    this.#isAsked = true;
    const head = { method: sent === undefined ? 'GET' : 'POST', path, headers: {} };
    await this.#world.as(this.#process, () => {
      const came = (text: string) => {
        this.answered = text;
        this.#isAsked = false;
      };
      pages.answer(head, JSON.stringify(sent ?? {}), new AbortController().signal).then(
        (answer) => came('body' in answer ? String(answer.body) : ''),
        (error: unknown) => came(String(error)),
      );
    });
    await this.settled(true);
  }

  async begin(): Promise<void> {
    const { argv, directory, terminal, pipe, env = {} } = this.work;
    if (pipe !== undefined) writeFileSync(pipe.path, pipe.text);
    const process = this.#process;
    this.beganAt = this.#world.steps;
    const context = contextOf(process, {
      argv,
      env,
      directory,
      terminal,
      signal: this.#stopping.signal,
      transport: (request) => this.#send(request),
      wrote: (stream, text) => {
        this[stream] += text;
      },
      ask: (kind, message, initial) => this.#ask(kind, message, initial),
    });
    void process.waitFor('start', argv.slice(0, 3).join(' '), () => {
      const ended = (exit: number, error?: unknown) => {
        if (!process.alive) return;
        this.exit = exit;
        if (error instanceof Error) this.stderr += String(error.stack);
        this.#end('by itself');
        process.alive = false;
        this.#world.forgetAll(process);
      };
      run(context).then(ended, (error: unknown) => ended(-1, error));
    });
    await this.settled();
  }

  async settled(patient = false): Promise<void> {
    const world = this.#world;
    let idle = 0;
    const most = patient ? MOST_IDLE_AT_LAST : MOST_IDLE;
    while (this.ended === undefined && !this.#process.standing && !this.#rests) {
      const what = await world.step();
      // Whoever waits for another piece of work beside this one may have brought it to its stop.
      if (what === 'none' && this.ended === undefined && !this.#process.standing && !this.#rests) {
        throw new Error(`${this.work.argv.join(' ')} waits for nothing`);
      }
      idle = what === 'idle' ? idle + 1 : 0;
      if (idle > most) return;
      if (world.steps > MOST_STEPS) throw new Error(`${this.work.argv.join(' ')} does not end`);
      if (!patient && world.chances.chance(0.004)) return;
    }
  }

  async goOn(how: 'pass' | 'cut', patient = false): Promise<void> {
    if (this.ended !== undefined) return;
    this.#mayStop = false;
    this.#process.standing = false;
    const [first] = this.#open;
    if (how === 'cut' && first !== undefined) first.isCut = true;
    await this.settled(patient);
  }

  async interrupt(how: 'pass' | 'cut'): Promise<void> {
    if (this.ended !== undefined) return;
    this.wasInterrupted = true;
    const [leave] = this.#questions.splice(0);
    await this.#world.as(this.#process, () => {
      this.#stopping.abort('SIGINT');
      leave?.();
    });
    await this.goOn(how);
  }

  async kill(requestArrives: boolean): Promise<void> {
    if (this.ended !== undefined) return;
    for (const { request, hasArrived } of this.#open) {
      if (requestArrives && !hasArrived && createdBy(request.url) !== undefined) {
        this.#service.keepLate(request, this.work.number);
      }
    }
    this.#process.kill();
  }

  #end(how: 'by itself' | 'killed'): void {
    if (this.ended !== undefined) return;
    this.ended = how;
    this.endedAt = this.#world.steps;
    if (how === 'killed') this.#service.lost.push(...this.sent);
  }

  /** Whether this is where it stops. */
  #stops(at: 'question' | 'create' | 'read'): boolean {
    const stop = this.#stop;
    if (!this.#mayStop || this.#process.standing || stop?.at !== at) return false;
    this.#passed += 1;
    return this.#passed === stop.nth;
  }

  async #send({ method, url, headers, body, signal }: WireRequest): Promise<WireResponse> {
    if (signal?.aborted) throw new TransportError('aborted', 'no', 'the caller ended it');
    const request: SentRequest = { method, url, headers: { ...headers }, body };
    const name = url.slice(url.lastIndexOf('/') + 1);
    const preference = createdBy(url) === undefined ? undefined : wishIn(body);
    if (preference !== undefined) this.sent.push(preference.content);
    const sent: Sent = { request, isCut: false, hasArrived: false };
    this.#open.add(sent);
    const stops = this.#stops(preference === undefined ? 'read' : 'create');
    const happens = this.#stop?.happened === true;
    if (stops && !happens) this.#process.standing = true;
    let end = () => {};
    const aborted = new Promise<never>((_, reject) => {
      end = () => reject(new TransportError('aborted', 'maybe', 'the caller ended it'));
      signal?.addEventListener('abort', end, { once: true });
    });
    aborted.catch(() => {});
    const answered = this.#process
      .waitFor('request', name, async () => {
        sent.hasArrived = true;
        const answer = await this.#service.answer(request, this.work.number);
        if (stops && happens) this.#process.standing = true;
        return answer;
      })
      .then((answer) =>
        this.#process.waitFor('answer', `${name} ${answer.status}`, () => {
          if (!sent.isCut) return answer;
          if (preference !== undefined) this.#service.lost.push(preference.content);
          throw closed();
        }),
      );
    try {
      const answer = await Promise.race([answered, aborted]);
      // Between this answer and whatever is sent next.
      if (this.#service.interrupts.delete(this.work.number)) {
        this.wasInterrupted = true;
        this.#stopping.abort('SIGINT');
      }
      return answer;
    } finally {
      signal?.removeEventListener('abort', end);
      this.#open.delete(sent);
    }
  }

  async #ask(kind: string, message: string, initial: string): Promise<string | boolean> {
    this.#asked += 1;
    if (this.#asked > MOST_QUESTIONS) throw new PromptEnded();
    if (this.#stops('question')) this.#process.standing = true;
    const left = new Promise<never>((_, reject) => {
      this.#questions.push(() => reject(new PromptEnded()));
    });
    left.catch(() => {});
    const says = kind === 'confirm' ? true : initial;
    return Promise.race([this.#process.waitFor('question', message.slice(0, 40), () => says), left]);
  }
}
