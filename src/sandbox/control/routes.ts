import { accountRoutes } from './account-routes.ts';
import type { ControlRoute } from './route.ts';
import { serverRoutes } from './server-routes.ts';

/** The one list of what the control plane answers; each part has its routes in a file of its own. */
export const controlRoutes: readonly ControlRoute[] = [...serverRoutes, ...accountRoutes];
