import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { httpAnswer, rawServer } from '../support/raw-server.ts';

test('a process that made one call ends by itself, with the connection still kept alive', async () => {
  const server = await rawServer((socket) =>
    socket.write(httpAnswer(200, '{"done":1}', { 'keep-alive': 'timeout=300' })),
  );
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-exit-'));
  try {
    const outfile = join(directory, 'one-call.mjs');
    const source = `
      import { createTransport } from ${JSON.stringify(resolve('src/platform/http/undici-transport.ts'))};
      const { transport } = createTransport();
      const url = ${JSON.stringify(server.origin)};
      const answer = await transport({ method: 'POST', url, headers: {}, body: '{}', timeoutMs: 36000000 });
      console.log(answer.body);`;
    await build({
      stdin: { contents: source, resolveDir: resolve('.') },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    const child = spawn(process.execPath, [outfile]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).toBe('{"done":1}\n');
  } finally {
    await rm(directory, { recursive: true });
    await server.close();
  }
});
