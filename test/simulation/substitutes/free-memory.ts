// Stands in for src/platform/process/free-memory.ts: the heap of the simulator is not that of one process of the world.
export const freeMemory = (): void => {};
