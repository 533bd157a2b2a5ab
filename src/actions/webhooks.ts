import { install, uninstall } from './webhooks/install.ts';
import { listen } from './webhooks/listen.ts';
import { recover } from './webhooks/recover.ts';
import { status } from './webhooks/status.ts';
import { test } from './webhooks/test.ts';

/** What can be done with webhooks beside the service's own operations. */
export const actions = [listen, status, recover, test, install, uninstall];
