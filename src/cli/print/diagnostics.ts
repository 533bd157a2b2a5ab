import type { About } from '../../action/ports.ts';
import { inClockTime } from '../../domain/calendar.ts';
import { type Fields, writeJson } from '../../domain/json/values.ts';
import type { Sink } from '../../platform/terminal/streams.ts';
import { jsonSafe, makeSafe } from '../../platform/terminal/text-safety.ts';
import type { Context } from '../context.ts';
import type { Format } from './formats.ts';
import { say } from './texts.ts';

/** A sentence beside the result, and what it is about where a program can use that. */
export interface Notice {
  readonly message: string;
  readonly about?: About | undefined;
}

/** How far a long work is. */
export interface Advance {
  /** What is counted. */
  readonly what: string;
  readonly done: number;
  /** Null where it is not known. */
  readonly total: number | null;
  readonly failed: number | null;
  /** The same in words. */
  readonly message: string;
}

/** A failure in both forms: one line of JSON, and the text for a person. */
export interface ShownError {
  readonly json: () => string;
  readonly text: () => string;
}

/** The facts of a step, for whoever debugs; a `stack` stands on lines of its own in prose. */
export type Facts = Fields;

/** One form of everything that stands on stderr; each method returns whole lines. */
interface Form {
  notice(notice: Notice, kind: string): string;
  progress(advance: Advance): string;
  debug(facts: Facts): string;
  error(error: ShownError): string;
}

const line = (kind: string, value: unknown) => `${jsonSafe(writeJson({ [kind]: value }))}\n`;

/** One object a line, each with one of four keys (docs/scripts.md, "stderr"). */
const jsonLines: Form = {
  notice: ({ message, about: { code = null, ...facts } = { code: null } }) =>
    line('notice', { code, message, ...facts }),
  progress: (advance) => line('progress', advance),
  debug: (facts) => line('debug', facts),
  error: ({ json }) => `${jsonSafe(json())}\n`,
};

/** Sentences for a person, whose times are those of a zone. */
const prose = (timeZone?: string): Form => ({
  notice: ({ message }, kind) => `${kind}${makeSafe(inClockTime(message, timeZone))}\n`,
  progress: ({ message }) => `${makeSafe(message)}\n`,
  debug({ stack, ...facts }) {
    if (typeof stack === 'string') return makeSafe(`${stack}\n`, 'keep');
    const { event, operation, ...others } = facts;
    const known = Object.entries(others).filter(([, value]) => value !== undefined);
    const shown = known.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return `debug: ${makeSafe([event, operation, ...shown].join(' '))}\n`;
  },
  error: ({ text }) => inClockTime(text(), timeZone),
});

/**
 * The only writer of stderr, but for questions at a terminal: in prose, or in JSON lines where the format in force is one
 * for programs. An error is the last line that a program gets.
 */
export class Diagnostics {
  readonly #stderr: Sink;
  #form = prose();
  #isOver = false;
  /** Written before everything else, as it is written: what removes a progress line. */
  before = () => '';

  constructor(stderr: Sink) {
    this.#stderr = stderr;
  }

  /** Takes the form that belongs to a format, and the zone of the times in it. */
  use({ errorsAsJson }: Format, timeZone?: string): void {
    this.#form = errorsAsJson === true ? jsonLines : prose(timeZone);
  }

  /** Whether each line is an object for a program. */
  get isForPrograms(): boolean {
    return this.#form === jsonLines;
  }

  /** Writes a notice. */
  notice(notice: Notice): Promise<void> {
    return this.#tell(this.#form.notice(notice, ''));
  }

  /** Writes a notice that a person reads as a warning; `of` says who warns. */
  warning(notice: Notice, of = ''): Promise<void> {
    return this.#tell(this.#form.notice(notice, `${of}${say().warning}`));
  }

  /** Writes how far a long work is, as a line of its own. */
  progress(advance: Advance): Promise<void> {
    return this.#tell(this.#form.progress(advance));
  }

  /** Writes the facts of a step. */
  debug(facts: Facts): Promise<void> {
    return this.#write(this.#form.debug(facts));
  }

  /** Writes the failure of the run; a program is written nothing behind it. */
  async error(error: ShownError): Promise<void> {
    await this.#tell(this.#form.error(error));
    this.#isOver = true;
  }

  #tell(text: string): Promise<void> {
    return this.isForPrograms ? this.#write(text) : tellLines(this.#stderr, text, this.before);
  }

  async #write(text: string): Promise<void> {
    if (this.isForPrograms && this.#isOver) return;
    await this.#stderr.write((this.isForPrograms ? '' : this.before()) + text);
  }
}

const ofContexts = new WeakMap<Context, Diagnostics>();

/** What a context's run writes on stderr with. */
export function diagnosticsOf(context: Context): Diagnostics {
  const diagnostics = ofContexts.get(context) ?? new Diagnostics(context.stderr);
  ofContexts.set(context, diagnostics);
  return diagnostics;
}

/**
 * Writes lines for a person, wrapped between words if the stream is a narrow terminal. They must be safe already. What is to
 * stand before them is asked for as they are written: a progress line may have come since they were said.
 */
export async function tellLines(stream: Sink, text: string, before = () => ''): Promise<void> {
  const { columns } = stream;
  if (!columns) return stream.write(before() + text);
  const { fitLines } = await import('../../platform/terminal/word-wrap.ts');
  return stream.write(before() + fitLines(text, columns));
}
