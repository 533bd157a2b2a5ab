import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askLive } from '../../src/platform/terminal/node-live-question.ts';
import { PromptEnded } from '../../src/platform/terminal/prompter.ts';

/** A question at a terminal made of two streams. */
function ask(message: () => string, validate?: (answer: string) => true | string) {
  const input = new PassThrough();
  const over = new AbortController();
  const signal = new AbortController();
  let shown = '';
  const seen: { text: string; resolve: () => void }[] = [];
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, callback) {
      shown += chunk;
      for (const preference of seen) if (shown.includes(preference.text)) preference.resolve();
      callback();
    },
  });
  const question = { message, signal: over.signal, ...(validate === undefined ? {} : { validate }) };
  const answer = askLive({ input, output, signal: signal.signal }, question);
  answer.catch(() => {});
  return {
    answer,
    input,
    over,
    signal,
    shown: () => shown,
    /** Resolves when the text is on the screen. */
    sees: (text: string) =>
      new Promise<void>((resolve) => {
        if (shown.includes(text)) resolve();
        else seen.push({ text, resolve });
      }),
  };
}

describe('a live question', () => {
  it('is answered with the typed line', async () => {
    const { answer, input } = ask(() => 'Id?');
    input.write('12345\r');
    expect(await answer).toBe('12345');
  });

  it('asks again after an answer that does not fit', async () => {
    const { answer, input, shown } = ask(
      () => 'Id?',
      (text) => /^\d+$/.test(text) || 'an id is a number',
    );
    input.write('abc\r');
    input.write('7\r');
    expect(await answer).toBe('7');
    expect(shown()).toContain('  an id is a number\n');
    // A listener that an attempt leaves behind would show each key once more.
    expect(shown()).not.toContain('77');
  });

  it('redraws its message, and keeps what was typed', async () => {
    let left = 10;
    const { answer, input, sees } = ask(() => `${left--} left:`);
    input.write('12');
    await sees('9 left:');
    input.write('3\r');
    expect(await answer).toBe('123');
  });

  it('shows control characters of its message as text', async () => {
    const { answer, input, shown } = ask(() => 'a\u001b[2Jb');
    input.write('1\r');
    await answer;
    expect(shown()).toContain('a\\x1b[2Jb');
  });

  it('ends with the reason when something else came first, and clears its line', async () => {
    const { answer, over, shown } = ask(() => 'Id?');
    over.abort('signed in');
    await expect(answer).rejects.toBe('signed in');
    expect(shown().endsWith('\r\u001b[K')).toBe(true);
  });

  it('ends with the signal of the process', async () => {
    const { answer, signal } = ask(() => 'Id?');
    signal.abort('SIGTERM');
    await expect(answer).rejects.toBe('SIGTERM');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('ends by %s', async (_, key) => {
    const { answer, input } = ask(() => 'Id?');
    input.write(key);
    await expect(answer).rejects.toBeInstanceOf(PromptEnded);
  });

  it('ends with its input', async () => {
    const { answer, input } = ask(() => 'Id?');
    input.end();
    await expect(answer).rejects.toBeInstanceOf(PromptEnded);
  });

  it('is not asked when it is too late', async () => {
    const over = AbortSignal.abort('late');
    const input = new PassThrough();
    await expect(askLive({ input, output: new PassThrough() }, { message: () => 'Id?', signal: over })).rejects.toBe(
      'late',
    );
  });

  it('leaves no listener behind', async () => {
    const before = process.listenerCount('SIGHUP');
    const { answer, input } = ask(() => 'Id?');
    expect(process.listenerCount('SIGHUP')).toBe(before + 1);
    input.write('1\r');
    await answer;
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });
});

it('leaves nothing behind that would show what is typed next twice', async () => {
  const input = new PassThrough();
  const output = new Writable({ write: (_chunk, _encoding, callback) => callback() });
  for (const _ of ['first', 'second', 'third']) {
    const answer = askLive({ input, output }, { message: () => 'Id?', signal: new AbortController().signal });
    input.write('1\r');
    await answer;
    expect(input.listenerCount('keypress')).toBe(0);
  }
});
