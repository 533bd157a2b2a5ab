import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { PromptEnded, type Prompter } from './prompter.ts';
import { makeSafe } from './text-safety.ts';

/** Where a live question is asked; see `PrompterOptions`. */
export interface LiveQuestionOptions {
  readonly signal?: AbortSignal;
  readonly input?: Readable;
  readonly output?: Writable;
}

const redrawMs = 1000;

/**
 * A question whose message changes while it is open, which inquirer does not support: one line with node:readline,
 * redrawn every second with what was typed so far. Throws PromptEnded on Ctrl-C, on Ctrl-D and when the input ends.
 */
export function askLive(
  options: LiveQuestionOptions,
  { message, validate = () => true, signal: until }: Parameters<Prompter['textUntil']>[0],
): Promise<string> {
  const { signal, input = process.stdin, output = process.stderr } = options;
  const either = signal ? AbortSignal.any([signal, until]) : until;
  return new Promise((resolve, reject) => {
    if (either.aborted) return reject(either.reason);
    if (input.readableEnded || input.destroyed) return reject(new PromptEnded());
    const lines = createInterface({ input, output, terminal: true, historySize: 0 });
    const draw = () => {
      lines.setPrompt(`${makeSafe(message())} `);
      lines.prompt(true);
    };
    const timer = setInterval(draw, redrawMs);
    const end = (settle: () => void, ending: string) => {
      clearInterval(timer);
      either.removeEventListener('abort', onAbort);
      process.removeListener('SIGHUP', onEnd);
      // Its own listener stays: it takes the interface off the keys.
      lines.removeListener('close', onEnd);
      lines.close();
      output.write(ending, settle);
    };
    const onAbort = () => end(() => reject(either.reason), '\r\u001b[K');
    const onEnd = () => end(() => reject(new PromptEnded()), '\n');
    either.addEventListener('abort', onAbort, { once: true });
    // A hang-up means that the person has gone.
    process.on('SIGHUP', onEnd);
    lines.on('SIGINT', onEnd);
    lines.on('close', onEnd);
    lines.on('line', (line) => {
      const verdict = validate(line);
      if (verdict === true) return end(() => resolve(line), '');
      output.write(`  ${makeSafe(verdict)}\n`);
      draw();
    });
    draw();
  });
}
