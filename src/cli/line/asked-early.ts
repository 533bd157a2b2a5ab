import { type Format, formatOf } from '../print/formats/formats.ts';
import { isOn } from './globals.ts';
import type { Line } from './line.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether `--debug` or its variable asks for a stack trace of a bug. */
export function wantsTrace({ globals }: Line, env: Env): boolean {
  return globals.debug === true || isOn(env.SHOPCTL_DEBUG);
}

/** The requested format, parsed from the line itself, since the settings may be what is wrong. */
export function formatAsked({ globals }: Line, env: Env): Format {
  if (globals.json === true) return formatOf('json');
  return formatOf(typeof globals.output === 'string' ? globals.output : env.SHOPCTL_OUTPUT);
}
