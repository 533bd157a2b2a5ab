/**
 * The only way from the command line to the sandbox: it is loaded when a sandbox command runs, so that nothing else pays
 * for it, and client and sandbox never meet.
 */
export const openSandboxDoor = () => import('../../sandbox/index.ts');
