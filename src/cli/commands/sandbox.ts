import type { Group } from '../command.ts';

export const group: Group = { commands: [] };
