// Stands in for src/platform/files/lock-holder.ts: whether a process of the world lives.
import { type Holder, holderFrom } from '../../../src/platform/files/lock-holder.ts';
import { FIRST_PID, processNow, stage } from '../scheduler.ts';

export { type Holder, holderFrom };

export function thisProcess(): Omit<Holder, 'token'> {
  return { pid: FIRST_PID + processNow().number, machine: 'world' };
}

export function stateOf({ pid }: Holder): 'alive' | 'gone' | 'unknown' {
  return stage.world?.isAlive(pid) === true ? 'alive' : 'gone';
}
