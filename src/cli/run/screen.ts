import type { Sink } from '../../platform/terminal/streams.ts';
import { writeAtExit } from '../../platform/terminal/terminal-facts.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { truncate } from '../../platform/terminal/text-width.ts';
import type { Context } from '../context.ts';
import type { Document } from '../print/document.ts';
import { printDocument } from '../print/print-document.ts';
import { howToPrint } from '../report/how-to-print.ts';
import type { Session } from '../session/session.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[2J';
const LEAVE = '\u001b[?25h\u001b[?1049l';

/**
 * A page that takes the whole terminal and is drawn again as it changes: only the lines that differ are written. What
 * was on the terminal before comes back when it is closed, and when the process ends without closing it.
 */
export class Screen {
  readonly #context: Context;
  readonly #session: Session;
  #lines: readonly string[] = [];
  #width: number | undefined;
  #revoke: (() => void) | undefined;

  constructor(context: Context, session: Session) {
    this.#context = context;
    this.#session = session;
  }

  /** Draws a page: what stands above it, and a document. */
  async show(above: readonly string[], document: Document): Promise<void> {
    const { stdout } = this.#context;
    const settings = await howToPrint(this.#context, this.#session);
    const text: string[] = [];
    const sink: Sink = {
      write: async (part) => void text.push(part),
      closed: false,
      isTerminal: true,
      columns: stdout.columns,
    };
    await printDocument(document, settings, sink);
    const width = stdout.columns ?? 80;
    const lines = [...above.map((line) => truncate(makeSafe(line), width)), '', ...text.join('').trimEnd().split('\n')];
    await stdout.write(this.#opening(width) + this.#changes(lines));
    this.#lines = lines;
  }

  /** The first time, and after the width has changed, everything is drawn. */
  #opening(width: number): string {
    if (this.#revoke !== undefined && this.#width === width) return '';
    this.#width = width;
    this.#lines = [];
    this.#revoke ??= writeAtExit(LEAVE);
    return ENTER;
  }

  #changes(lines: readonly string[]): string {
    const count = Math.max(lines.length, this.#lines.length);
    const rows = Array.from({ length: count }, (_, index) => index).filter((at) => lines[at] !== this.#lines[at]);
    return rows.map((at) => `\u001b[${at + 1};1H${lines[at] ?? ''}\u001b[K`).join('');
  }

  /** Gives the terminal back as it was. */
  async close(): Promise<void> {
    if (this.#revoke === undefined) return;
    this.#revoke();
    this.#revoke = undefined;
    await this.#context.stdout.write(LEAVE);
  }
}
