/**
 * The only way from the command line to the sandbox: the modules are loaded when a sandbox command runs, so that
 * nothing else pays for them, and client and sandbox never meet.
 */
export const sandboxDoor = {
  sandbox: () => import('../sandbox/sandbox.ts'),
  server: () => import('../sandbox/server.ts'),
  state: () => import('../sandbox/state.ts'),
  control: () => import('../sandbox/control-client.ts'),
};
