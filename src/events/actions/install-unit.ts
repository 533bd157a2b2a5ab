import { join } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { record, text } from '../../contract/schema/scalars.ts';
import { listenHints, listenInput } from './listen-input.ts';

const { until_idle: _, count: __, expect: ___, within: ____, keep: _____, ...lasting } = listenInput.shape;
const input = z.object(lasting);

const installed = z.object({
  file: text('The unit'),
  next: text('What starts or ends it'),
});

/** The directory of the user's systemd units. */
function unitDirectory({ env }: Pick<Ports, 'env'>): string {
  const config = env.XDG_CONFIG_HOME || (env.HOME ? join(env.HOME, '.config') : undefined);
  if (config === undefined)
    throw new Refusal('no_home', 'no home directory was found for the unit file', { kind: 'configuration' });
  return join(config, 'systemd', 'user');
}

/** The command-line arguments that give the same input. */
function wordsOf(given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const flag = `--${name.replaceAll('_', '-')}`;
    if (value === undefined || value === null || value === false) return [];
    if (value === true) return [flag];
    return [value].flat().map((one) => `${flag}=${String(one)}`);
  });
}

const nameOf = (given: { name?: string | null | undefined }, { settings }: Pick<Ports, 'settings'>) =>
  given.name ?? settings.profileName?.value ?? 'default';

/** Installs a listener as a user service. */
export const install = action({
  id: 'webhooks.install',
  words: ['webhooks', 'install'],
  summary: 'Write a systemd user unit that runs the listener with this configuration',
  description:
    'It listens with the current profile and these flags, restarts after any failure, and leaves its webhook in place. Keys stay where they are saved: keys from the environment are not written to the unit.',
  examples: ['shopctl webhooks install --register --forward-to http://127.0.0.1:3000/hook'],
  effect: 'settings',
  mayAlso: ['program'],
  undo: 'webhooks uninstall',
  needs: [],
  input,
  hints: listenHints,
  output: installed,
  async run(given, ports) {
    const { children, env, files, intend, report, settings } = ports;
    const { systemdUnit, unitName } = await import('../listen/index.ts');
    const name = nameOf(given, ports);
    const profile = settings.profileName?.value;
    const words = [
      ...children.ownProgram,
      'webhooks',
      'listen',
      ...(profile === undefined ? [] : [`--profile=${profile}`]),
      ...wordsOf(given),
      ...(given.register === true ? ['--keep'] : []),
    ];
    const environment = {
      ...(env.SHOPCTL_CONFIG_DIR ? { SHOPCTL_CONFIG_DIR: env.SHOPCTL_CONFIG_DIR } : {}),
      ...(env.SHOPCTL_STATE_DIR ? { SHOPCTL_STATE_DIR: env.SHOPCTL_STATE_DIR } : {}),
    };
    const file = join(unitDirectory(ports), unitName(name));
    const unit = systemdUnit({ description: `shopctl webhooks listen (${name})`, words, environment });
    intend({ write: file, unit });
    await files.write(file, unit, 0o600);
    if (env.SHOPCTL_API_KEY)
      report.notice('the key from the environment is not written to the unit: save it in the profile');
    return { file, next: `systemctl --user daemon-reload && systemctl --user enable --now ${unitName(name)}` };
  },
});

/** Removes the unit. */
export const uninstall = action({
  id: 'webhooks.uninstall',
  words: ['webhooks', 'uninstall'],
  summary: 'Remove the unit that runs the listener',
  description: 'Its webhook and its stored changes stay.',
  examples: ['shopctl webhooks uninstall'],
  effect: 'settings',
  undo: 'webhooks install',
  needs: [],
  input: record({ name: text("name of the listener; the profile's when absent") }),
  output: installed,
  async run(given, ports) {
    const { files, intend } = ports;
    const { unitName } = await import('../listen/index.ts');
    const unit = unitName(nameOf(given, ports));
    const file = join(unitDirectory(ports), unit);
    intend({ remove: file });
    await files.remove(file);
    return { file, next: `systemctl --user disable --now ${unit}; systemctl --user daemon-reload` };
  },
});
