// Everything of the sandbox that the command line uses, in one module, so that it is loaded as one.
export { controlClient } from './bench/control/control-client.ts';
export { findState, listStates, removeState, writeState } from './bench/control/running-sandboxes.ts';
export { openSandbox } from './sandbox.ts';
export { startServer } from './server.ts';
