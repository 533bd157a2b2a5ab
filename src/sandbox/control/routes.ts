import { accountRoutes } from './account-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { logRoutes } from './log-routes.ts';
import type { ControlRoute } from './route.ts';
import { serverRoutes } from './server-routes.ts';
import { shipmentRoutes } from './shipment-routes.ts';
import { snapshotRoutes } from './snapshot-routes.ts';

/** The one list of what the control plane answers; each part has its routes in a file of its own. */
export const controlRoutes: readonly ControlRoute[] = [
  ...serverRoutes,
  ...accountRoutes,
  ...clockRoutes,
  ...deliveryRoutes,
  ...faultRoutes,
  ...logRoutes,
  ...shipmentRoutes,
  ...snapshotRoutes,
];
