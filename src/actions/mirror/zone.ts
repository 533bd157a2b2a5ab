import type { Ports } from '../action/ports.ts';

/** The time zone in which the mirror counts days. */
export const rollupZone = ({ settings }: Pick<Ports, 'settings'>): string => settings.tz.value;
