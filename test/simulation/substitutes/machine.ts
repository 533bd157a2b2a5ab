// Stands in for parts of the machine: src/platform/process/free-memory.ts, since the heap of the simulator is not that of one
// process of the world; src/platform/server/http-server.ts, since nobody reaches a page but by SimPiece.ask; and the listing of
// node:fs/promises, since nobody waits for the disk.
import { type PathLike, readdirSync } from 'node:fs';
import type { ListenForPages } from '../../../src/platform/server/http-server.ts';
import { processNow } from '../scheduler.ts';

export * from 'node:fs/promises';
export const readdir = async (path: PathLike) => readdirSync(path);

export const freeMemory = (): void => {};

export const listenForPages: ListenForPages = async (options) => {
  const process = processNow();
  process.pages = options;
  return {
    origin: `http://127.0.0.1:${20_000 + process.number}`,
    async close() {
      process.pages = undefined;
    },
  };
};

const nobody = () => {
  throw new Error('a simulated process has no such server');
};

export { nobody as listenForPosts, nobody as listenOnLoopback };
