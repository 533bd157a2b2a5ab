import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { buildProgram } from './support/built-program.ts';

const script = fileURLToPath(new URL('../scripts/situations.mjs', import.meta.url));

it('every situation of a public report holds', async () => {
  const built = await buildProgram();
  try {
    const words = [script, '--bin', join(built.bin, 'shopctl.js')];
    const played = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    played.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const [code] = await once(played, 'close');
    expect(said).toMatch(/^\d+ held, 0 failed\n$/);
    expect([code, Number.parseInt(said, 10)]).toEqual([0, expect.any(Number)]);
    // Those of the first search, and as many of a second one.
    expect(Number.parseInt(said, 10)).toBeGreaterThanOrEqual(69);
  } finally {
    await built.remove();
  }
});
