import type { ControlRoute } from './route.ts';

/** What a running sandbox says of itself. */
export interface SandboxStatus {
  readonly base_url: string;
  readonly started_at: string;
}

/** Asking how the sandbox is, and ending it. */
export const serverRoutes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: 'status',
    handle: ({ server }): SandboxStatus => ({ base_url: server.baseUrl, started_at: server.startedAt }),
  },
  {
    method: 'POST',
    path: 'stop',
    handle(context) {
      context.requestStop();
      return { stopping: true };
    },
  },
];
