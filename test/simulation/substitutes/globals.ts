// Stands in for what the program finds without asking for it: time, turns of the event loop, chance.
import { createHash } from 'node:crypto';
import { processNow, stage } from '../scheduler.ts';

const turn = globalThis.setImmediate;

const open = new Set<NodeJS.Immediate>();

/** Counted, so that the scheduler knows when nothing goes on any more. */
export function setImmediate(work: (...values: unknown[]) => void, ...values: unknown[]): NodeJS.Immediate {
  const planned = turn(() => {
    clearImmediate(planned);
    work(...values);
  });
  open.add(planned);
  stage.immediates = open.size;
  return planned;
}

export function clearImmediate(planned: NodeJS.Immediate | undefined): void {
  if (planned !== undefined) open.delete(planned);
  stage.immediates = open.size;
  globalThis.clearImmediate(planned);
}

export const performance = { now: () => stage.world?.now ?? 0, timeOrigin: 0 };

export function simulatedRandom(): number {
  const process = stage.process;
  if (process === undefined) return 0.5;
  return createHash('sha256').update(process.nextChance()).digest().readUInt32BE() / 4_294_967_296;
}

export function simulatedBytes(length: number): Buffer {
  const blocks: Buffer[] = [];
  while (blocks.length * 32 < length) {
    blocks.push(createHash('sha256').update(processNow().nextChance()).digest());
  }
  return Buffer.concat(blocks).subarray(0, length);
}
