/* A program for settings-crash.proof.test.ts: saves one profile after another and acknowledges each on stdout once it is saved. */
import { writeSync } from 'node:fs';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';

const [directory = '', name = '', count = ''] = process.argv.slice(2);
const store = settingsIn(directory, { lockTimeoutMs: 60_000 });
writeSync(1, 'ready\n');
for (let number = 0; number < Number(count); number += 1) {
  const profile = `${name}-${number}`;
  await store.update((settings) => ({
    ...settings,
    // How many changes there were, beside what they left: a change that was lost would part the two.
    changes: Number((settings as { changes?: number }).changes ?? 0) + 1,
    profiles: {
      ...settings.profiles,
      [profile]: { kind: 'shop', base_url: 'http://127.0.0.1', api_key: 'k'.repeat(200) },
    },
  }));
  writeSync(1, `${profile}\n`);
}
