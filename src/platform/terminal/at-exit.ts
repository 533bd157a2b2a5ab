import { writeSync } from 'node:fs';

/** Writes a text to standard output when this process exits, however it does except by a kill; returns how to revoke it. */
export function writeAtExit(text: string): () => void {
  const write = () => {
    try {
      writeSync(1, text);
    } catch {
      // Nobody is there to see it.
    }
  };
  process.once('exit', write);
  return () => void process.off('exit', write);
}
