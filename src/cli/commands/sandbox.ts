import type { Group } from '../command.ts';
import { controlCommands } from '../sandbox/control-commands.ts';
import { followLog } from '../sandbox/log-command.ts';
import { runCommands } from '../sandbox/run-commands.ts';
import { stateCommands } from '../sandbox/state-commands.ts';

/** `shopctl sandbox`: the whole service on this machine. */
export const group: Group = { commands: [...runCommands, ...stateCommands, ...controlCommands, followLog] };
