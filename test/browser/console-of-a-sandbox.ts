import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { buildProgram } from '../support/built-program.ts';

/** A sandbox until the test has finished: the address of its console, and a command about its shop. */
export async function consoleOfASandbox() {
  const { bin, home, remove } = await buildProgram();
  onTestFinished(remove);
  const program = `${bin}/shopctl.js`;
  const env = { PATH: process.env.PATH, HOME: home, SHOPCTL_CONFIG_DIR: home };
  const words = [program, 'sandbox', 'start', '--port', '0', '--ephemeral', '--json'];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const [line] = await once(child.stdout, 'data');
  return {
    address: String(JSON.parse(String(line)).console_url),
    async read(...command: readonly string[]) {
      const ofShop = [program, ...command, '--json', '--profile', 'sandbox-shop'];
      return JSON.parse((await promisify(execFile)(process.execPath, ofShop, { env })).stdout);
    },
  };
}
