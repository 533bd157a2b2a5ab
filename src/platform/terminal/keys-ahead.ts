import { PassThrough, type Readable } from 'node:stream';

/** The keys for one question, as a stream of their own. */
export interface Keys {
  readonly input: Readable;
  /** Ends the stream; what was typed behind the answer stays for the next question that takes it. */
  close(): void;
}

/** What was typed behind the last answer, by the stream that it came from. */
const typedAhead = new WeakMap<Readable, string>();

/** A tab between two cells that were copied from a sheet. */
const withinText = /(?<=[^\t\r\n])\t(?=[^\t\r\n])/g;

const controlC = '\u0003';

/** How the keys of a question for a text are read. */
export interface TextKeys {
  /** What a tab within a pasted text becomes. */
  readonly tab: string;
  /** What joins several lines that are pasted at once to one answer, if the terminal marks pasted text. */
  readonly joint?: string | undefined;
}

/** Where a pasted line, or an empty one, was ended by an Enter alone, behind which nothing had come. */
const endedAlone = new WeakSet<Readable>();

/** Whether whoever answered last has no more to say: their pasted line, or an empty one, ended with an Enter of its own. */
export const isEndedAlone = (source: Readable): boolean => endedAlone.has(source);

/** More than one word in one piece: nobody types that, and no input method composes it. */
const PASTED = /\S\s+\S|\u001b\[200~/;
const ENTER_ALONE = /(?:^|\u001b\[201~)[\r\n]+$/;

const [PASTE_BEGINS, PASTE_ENDS] = ['\u001b[200~', '\u001b[201~'];

/** Text whose marked pastes are a line each; undefined while the end of one has not arrived. Both are bytes of UTF-8. */
function withPastesJoined(text: string, joint: string): string | undefined {
  const [before = '', ...pastes] = text.split(PASTE_BEGINS);
  const joined = pastes.map((paste) => {
    const end = paste.indexOf(PASTE_ENDS);
    if (end < 0) return undefined;
    // Only plain blanks: in UTF-8, what latin1 calls a blank may be half a letter.
    const lines = paste.slice(0, end).split(/[ \t]*[\r\n][ \t\r\n]*/);
    return lines.filter((line) => line !== '').join(joint) + paste.slice(end + PASTE_ENDS.length);
  });
  return joined.includes(undefined) ? undefined : before + joined.join('');
}

/**
 * Forgets what was typed ahead, which was not meant for the question that comes now; returns whether a Ctrl-C was among
 * it, which is meant for any question.
 */
export function forgetTypedAhead(source: Readable): boolean {
  const isLeft = typedAhead.get(source)?.includes(controlC) === true;
  typedAhead.delete(source);
  return isLeft;
}

/** The pieces in which an answer comes; some of it `wasPasted` before. */
function piecesOf(wasPasted: boolean) {
  let isPasted = wasPasted;
  let [came, last] = ['', ''];
  return {
    add(piece: string): string {
      isPasted ||= PASTED.test(piece);
      came += piece;
      last = piece;
      return piece;
    },
    /** Whether an Enter of its own ended what was pasted, or nothing. */
    endAlone: () => ENTER_ALONE.test(last) && (isPasted || came === last),
  };
}

/**
 * The keys for a question that may be answered before it is shown. inquirer drops what a person types while the next
 * question is prepared, and what follows the Enter of an answer, for example the other lines of a pasted text. Here
 * each line goes to one question. If a question does not accept its line, whatever was typed behind that is dropped,
 * since it was meant for other questions.
 */
export function keysFor(source: Readable, { tab, joint }: TextKeys): Keys {
  const input = new PassThrough();
  const setRawMode: unknown = Reflect.get(source, 'setRawMode');
  if (typeof setRawMode === 'function') {
    Object.assign(input, { setRawMode: (raw: boolean) => Reflect.apply(setRawMode, source, [raw]) });
  }
  const between = joint === undefined ? undefined : Buffer.from(joint).toString('latin1');
  let waiting = typedAhead.get(source) ?? '';
  typedAhead.delete(source);
  endedAlone.delete(source);
  const pieces = piecesOf(waiting !== '');
  let isOpen = true;
  let isHeld = false;
  const feed = () => {
    const leaving = waiting.includes(controlC) ? controlC : undefined;
    const whole = between === undefined ? waiting : (withPastesJoined(waiting, between) ?? leaving);
    if (isHeld || waiting === '' || whole === undefined) return;
    waiting = whole;
    const [line = waiting] = /^[^\r\n]*(?:\r\n?|\n)/.exec(waiting) ?? [];
    waiting = waiting.slice(line.length);
    isHeld = waiting !== '';
    input.write(Buffer.from(line.replaceAll(withinText, tab), 'latin1'));
    if (isHeld) setImmediate(() => setImmediate(dropIfOpen));
  };
  // An accepted line closes the question before the next turn of the event loop.
  const dropIfOpen = () => {
    if (!isOpen) return;
    isHeld = false;
    waiting = waiting.includes(controlC) ? controlC : '';
    feed();
  };
  // latin1 keeps every byte as one character.
  const onData = (chunk: Buffer | string) => {
    waiting += pieces.add((typeof chunk === 'string' ? Buffer.from(chunk) : chunk).toString('latin1'));
    feed();
  };
  const onEnd = () => void input.end();
  // Keys are given once somebody reads them: until then, nobody can have refused one.
  input.once('resume', () => {
    if (!isOpen) return;
    source.on('data', onData);
    source.once('end', onEnd);
    source.once('close', onEnd);
    feed();
    source.resume();
  });
  return {
    input,
    close() {
      isOpen = false;
      source.removeListener('data', onData);
      source.removeListener('end', onEnd);
      source.removeListener('close', onEnd);
      if (waiting !== '') typedAhead.set(source, waiting);
      else if (pieces.endAlone()) endedAlone.add(source);
      input.destroy();
    },
  };
}
