// What the command line reaches of the sandbox, in one module, so that it is loaded as one.
export { controlClient } from './control-client.ts';
export { openSandbox } from './sandbox.ts';
export { startServer } from './server.ts';
export { findState, listStates, removeState, writeState } from './state.ts';
