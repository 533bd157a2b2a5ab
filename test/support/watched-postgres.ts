import pg from 'pg';

/** Ends this process with SIGKILL before the nth write statement that it would send to a server; 0 never. */
export function dieAtStatement(nth: number, isArmed: () => boolean): void {
  const prototype = pg.Client.prototype as unknown as { query(...words: unknown[]): unknown };
  const { query } = prototype;
  let writes = 0;
  prototype.query = function (...words) {
    const [first] = words;
    const text = typeof first === 'string' ? first : String((first as { text?: unknown } | undefined)?.text ?? '');
    if (isArmed() && !/^\s*(?:select|begin)/i.test(text)) {
      writes += 1;
      if (writes === nth) process.kill(process.pid, 'SIGKILL');
    }
    return query.apply(this, words);
  };
}
