import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BuiltProgram } from './built-program.ts';
import { shellEnvironment } from './shell.ts';
import { masks } from './story.ts';

/** The times of the pages are those of a shop in Vietnam. */
export const zone = 'Asia/Ho_Chi_Minh';

/** A sandbox with its demo shops, and the examples, where a program runs; returns what ends it. */
export async function demoSandbox(program: BuiltProgram): Promise<() => Promise<void>> {
  cpSync('examples', join(program.home, 'examples'), { recursive: true });
  const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--json'];
  const sandbox = spawn(...program.line(...words), {
    env: { ...shellEnvironment(program), TZ: zone },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(createInterface(sandbox.stdout), 'line');
  return async () => {
    if (sandbox.exitCode !== null) return;
    sandbox.kill('SIGTERM');
    await once(sandbox, 'exit');
  };
}

/** The name of a batch. */
export const batchName = /\b\d{8}-[a-z0-9]{5}\b/g;
/** What differs between runs of a page's commands. */
export const { mask } = masks([
  [batchName, 'BATCH'],
  // Codes that the service counts up.
  [/\b[A-Z]{2}\d{6}\b/g, 'CODE'],
  [/\b[1-9]\d{18}\b/g, 'ID'],
  // A draft, and a service, which is another one each day.
  [/\b(?:[0-9a-f]{10}|[0-9A-F]{10})\b/g, 'HEX'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, 'TIME'],
  // The same in Vietnamese, and a day in a sentence.
  [/\b\d\d\/\d\d \d\d:\d\d\b/g, 'TIME'],
  [/(?<=dự kiến giao )\d{1,2}\/\d{1,2}/g, 'DAY'],
  // Where a file is.
  [/\/\S*\/friday\.csv/g, 'FILE'],
]);

/** The commands of a section, each with what the page shows of it. */
export function commandsOf(
  section: string,
  page = 'README.md',
): readonly { readonly line: string; readonly shown: string }[] {
  const [, text = ''] = readFileSync(page, 'utf8').split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return [...own.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((command) => {
        const [line = '', ...shown] = command.split('\n');
        return { line, shown: shown.join('\n').trim() };
      }),
  );
}
