// Stands in for src/platform/files/file-lock.ts: whether a process of the world lives.
import { type Holder, holderFrom } from '../../../src/platform/files/file-lock.ts';
import { FIRST_PID, processNow, stage } from '../scheduler.ts';

export { type Holder, holderFrom };

export function thisProcess(): Omit<Holder, 'token'> {
  return { pid: FIRST_PID + processNow().number, machine: 'world' };
}

export function stateOf({ pid }: Holder): 'alive' | 'gone' | 'unknown' {
  return stage.world?.isAlive(pid) === true ? 'alive' : 'gone';
}
