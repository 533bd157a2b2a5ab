import type { Context } from '../../src/cli/context.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import type { Settings } from '../../src/platform/settings/settings.ts';
import { type MemorySink, memorySink } from './sinks.ts';

export interface OfflineContext extends Context {
  readonly stdout: MemorySink;
  readonly stderr: MemorySink;
}

/** A context without network, person or clock: whatever a test did not provide throws when it is used. */
export function offlineContext(
  argv: readonly string[],
  given: Partial<Context> & { settings?: Settings } = {},
): OfflineContext {
  const { settings = { version: 1, profiles: {} }, ...rest } = given;
  const context: Partial<Context> = {
    argv,
    env: {},
    stdin: { readAll: async () => '', isTerminal: false },
    stdout: memorySink(),
    stderr: memorySink(),
    random: () => 0.5,
    randomBytes: (length) => new Uint8Array(length),
    clock: { now: () => Date.UTC(2026, 6, 1), wait: async () => {} },
    files: nodeFiles,
    signal: new AbortController().signal,
    again: new AbortController().signal,
    settingsIn: () => ({
      path: '/nowhere/config.json',
      read: async () => settings,
      update: async () => {
        throw new Error('the settings are not to be changed');
      },
      warnings: async () => [],
      mend: async () => {
        throw new Error('the settings are not to be changed');
      },
    }),
    home: '/nowhere',
    workingDirectory: process.cwd(),
    platform: 'linux',
    version: '0.0.0',
    warnings: undefined,
    spoken: undefined,
    ...rest,
  };
  return new Proxy(context, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name);
      throw new Error(`${String(name)} is out of reach of this test`);
    },
  }) as OfflineContext;
}
