// Situations of public bug reports about command lines, HTTP, proxies, keys, webhooks and terminals, each played with the
// built program as a real process against a sandbox: `npm run situations`. `--only TEXT` plays those whose name has it,
// `--list` prints them, `--bin PATH` plays them with another build.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ofAnswers } from './situations/of-answers.mjs';
import { ofMachines } from './situations/of-machines.mjs';
import { ofOutput } from './situations/of-output.mjs';
import { ofProxies } from './situations/of-proxies.mjs';
import { ofWebhooks } from './situations/of-webhooks.mjs';
import { openService, openStage } from './situations/stage.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string' }, list: { type: 'boolean' }, bin: { type: 'string' } },
});
const bin = values.bin ?? fileURLToPath(new URL('../bin/shopctl.js', import.meta.url));
const situations = [...ofProxies, ...ofAnswers, ...ofMachines, ...ofWebhooks, ...ofOutput].filter(({ name }) =>
  name.includes(values.only ?? ''),
);

/** How many are played at once: most of them wait. */
const TOGETHER = 4;

/** Plays one; returns why it does not hold. */
async function play({ run }, service) {
  const stage = openStage({ bin, service });
  try {
    await run(stage);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await stage.close();
  }
}

if (values.list) {
  for (const { name } of situations) console.log(name);
} else {
  const service = await openService(bin);
  const waiting = [...situations];
  let [held, failed] = [0, 0];
  const worker = async () => {
    for (let situation = waiting.shift(); situation !== undefined; situation = waiting.shift()) {
      const why = await play(situation, service);
      if (why === undefined) held += 1;
      else {
        failed += 1;
        console.log(`failed: ${situation.name}\n  ${why}`);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: TOGETHER }, worker));
  } finally {
    await service.close();
  }
  console.log(`${held} held, ${failed} failed`);
  if (failed > 0 || held === 0) process.exitCode = 1;
}
