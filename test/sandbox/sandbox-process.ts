import { systemClock } from '../../src/platform/process/clock.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';

// Run as a process of its own, to be killed: serves the data of the directory it is given, and says where.
const [, , data = ''] = process.argv;
const sandbox = await openSandbox({ data, seed: 'demo', clock: systemClock });
const { baseUrl } = await startServer(sandbox, { port: 0 });
const { partner, shops } = await sandbox.control.credentials();
process.stdout.write(`${JSON.stringify({ baseUrl, partner, shops })}\n`);
