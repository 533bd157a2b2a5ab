/**
 * The only import of the sandbox from the command line: it is loaded when a sandbox command runs, so that nothing else
 * pays for it, and client and sandbox stay independent.
 */
export const openSandboxDoor = () => import('../../sandbox/index.ts');
