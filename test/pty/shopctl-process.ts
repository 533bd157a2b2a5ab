/* A program for ship.proof.test.ts: shopctl as it is, on its own process. */
import { runProcess } from '../../src/process.ts';

await runProcess();
