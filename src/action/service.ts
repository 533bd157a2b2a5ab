import { existsSync, readdirSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { Refusal } from '../client/refusal.ts';
import type { Hints } from '../contract/schema/hint.ts';
import { record, text } from '../contract/schema/scalars.ts';
import { fieldsIn } from '../domain/json/values.ts';
import { serviceUnit, timerUnit, unitName } from '../platform/process/service-unit.ts';
import { isPostgresAddress, withoutPassword } from '../store/postgres-address.ts';
import { action } from './action.ts';
import { millisecondsOf } from './duration-field.ts';
import type { Ports } from './ports.ts';
import { say } from './texts.ts';

/** A command that the user's service manager runs: all the time, or again and again. */
interface Service<Input extends z.ZodObject> {
  readonly group: string;
  /** What it is, in the name of its unit. */
  readonly called: string;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  /** Has `name`, and `every` if it is started again and again. */
  readonly input: Input;
  readonly positional?: readonly (keyof z.output<Input> & string)[];
  readonly hints: Hints<Input>;
  /** How long it pauses between two runs unless `every` says otherwise; without it, it runs all the time. */
  readonly pause?: string;
  /** The command line that is run, with its flags. */
  words(given: z.output<Input>, ports: Pick<Ports, 'workingDirectory'>): readonly string[];
}

const installed = z.object({
  file: text('The unit'),
  timer: z.nullable(text('The unit that starts it again and again; null if it runs all the time')),
  next: text('What starts or ends it'),
});

/** The directory of the user's systemd units; undefined without a home directory. */
export function unitDirectory({ env }: Pick<Ports, 'env'>): string | undefined {
  const config = env.XDG_CONFIG_HOME || (env.HOME ? join(env.HOME, '.config') : undefined);
  return config === undefined ? undefined : join(config, 'systemd', 'user');
}

/** The command-line arguments that give the same input. */
export function flagsOf(given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const flag = `--${name.replaceAll('_', '-')}`;
    if (value === undefined || value === null || value === false) return [];
    if (value === true) return [flag];
    return [value].flat().map((one) => `${flag}=${String(one)}`);
  });
}

/** The files in the directory of units that were written here, in order. */
export function unitsWritten(ports: Pick<Ports, 'env'>): readonly string[] {
  const directory = unitDirectory(ports);
  if (directory === undefined || !existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => /^shopctl-.*\.(?:service|timer)$/.test(name))
    .sort();
}

/** Variables that say where a program finds what is its user's: a service manager does not know those of a shell. */
const places = [
  ...['SHOPCTL_CONFIG_DIR', 'SHOPCTL_STATE_DIR', 'SHOPCTL_WORKSPACE'],
  ...['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'NODE_EXTRA_CA_CERTS'],
] as const;

/** An address of a database without its password, which ~/.pgpass has for a service. */
const withoutSecret = (value: string) => (isPostgresAddress(value) ? withoutPassword(value) : value);

/** A path in the working directory, which a service manager does not know. */
export const absolutePath = (path: string, { workingDirectory }: Pick<Ports, 'workingDirectory'>) =>
  isAbsolute(path) ? path : join(workingDirectory, path);

/** The units of a service: the files, and what is given to systemctl. */
function unitsOf({ called, pause }: Pick<Service<z.ZodObject>, 'called' | 'pause'>, given: unknown, ports: Ports) {
  const { name: own } = fieldsIn(given);
  const name = typeof own === 'string' ? own : (ports.settings.profileName?.value ?? 'default');
  const directory = unitDirectory(ports);
  if (directory === undefined) throw new Refusal('no_home', say().unit.noHome, { kind: 'configuration' });
  const unit = unitName(called, name, 'service');
  const timer = pause === undefined ? undefined : unitName(called, name, 'timer');
  return {
    name,
    file: join(directory, unit),
    timer: timer === undefined ? null : join(directory, timer),
    started: timer ?? unit,
  };
}

/** Writes the units of a service, and says how to start it. */
async function write<Input extends z.ZodObject>(service: Service<Input>, given: z.output<Input>, ports: Ports) {
  const { children, env, files, intend, report, settings } = ports;
  const { name, file, timer, started } = unitsOf(service, given, ports);
  const profile = settings.profileName?.value;
  const own = service.words(given, ports);
  const title = `shopctl ${own.slice(0, 2).join(' ')} (${name})`;
  const words = [...children.ownProgram, ...own, ...(profile === undefined ? [] : [`--profile=${profile}`])];
  const environment = Object.fromEntries(
    places.flatMap((place) => (env[place] ? [[place, withoutSecret(env[place])]] : [])),
  );
  const unit = serviceUnit({
    description: title,
    words,
    environment,
    runs: timer === null ? 'always' : 'when-started',
  });
  const { every } = fieldsIn(given);
  const everyMs = millisecondsOf('every', typeof every === 'string' ? every : (service.pause ?? '1m'));
  const clock = timer === null ? undefined : timerUnit(title, everyMs);
  intend({ write: file, unit, ...(clock === undefined ? {} : { and: timer, timer: clock }) });
  await files.write(file, unit, 0o600);
  if (timer !== null && clock !== undefined) await files.write(timer, clock, 0o600);
  if (env.SHOPCTL_API_KEY) report.notice(say().unit.keyLeftOut);
  if (env.SHOPCTL_WORKSPACE && withoutSecret(env.SHOPCTL_WORKSPACE) !== env.SHOPCTL_WORKSPACE)
    report.notice(say().unit.passwordLeftOut);
  return { file, timer, next: `systemctl --user daemon-reload && systemctl --user enable --now ${started}` };
}

/** The actions that write and remove the units of a service. */
export function serviceActions<Input extends z.ZodObject>(service: Service<Input>) {
  const { group, summary, description, examples, input, positional, hints } = service;
  const install = action({
    id: `${group}.install`,
    words: [group, 'install'],
    summary,
    description,
    examples,
    effect: 'settings',
    mayAlso: ['program'],
    undo: `${group} uninstall`,
    needs: [],
    input,
    hints,
    ...(positional === undefined ? {} : { positional }),
    output: installed,
    run: (given, ports) => write(service, given, ports),
  });
  const uninstall = action({
    id: `${group}.uninstall`,
    words: [group, 'uninstall'],
    summary: `Remove what \`${group} install\` wrote`,
    description: 'What it has stored, and its webhook, stay.',
    examples: [`shopctl ${group} uninstall`],
    effect: 'settings',
    undo: `${group} install`,
    needs: [],
    input: record({ name: text("its name; the profile's when absent") }),
    output: installed,
    async run(given, ports) {
      const { file, timer, started } = unitsOf(service, given, ports);
      ports.intend({ remove: timer === null ? file : [file, timer] });
      const own = timer === null ? [file] : [timer, file];
      const names = own.map((path) => basename(path));
      const before = unitsWritten(ports);
      if (!before.some((name) => names.includes(name))) ports.report.notice(say().unit.none({ unit: basename(file) }));
      const others = before.filter((name) => name.startsWith(`shopctl-${service.called}-`) && !names.includes(name));
      if (others.length > 0) ports.report.notice(say().unit.others({ units: others }));
      for (const path of own) await ports.files.remove(path);
      return { file, timer, next: `systemctl --user disable --now ${started}; systemctl --user daemon-reload` };
    },
  });
  return { install, uninstall };
}
