// Everything of the sandbox that the command line uses, in one module, so that it is loaded as one.
export { controlClient } from './lab/control-client.ts';
export { findState, listStates, removeState, writeState } from './lab/running-sandboxes.ts';
export { openSandbox } from './sandbox.ts';
export { startServer } from './server.ts';
