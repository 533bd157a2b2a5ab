import { install, uninstall } from './webhooks/install.ts';
import { listen } from './webhooks/listen.ts';
import { recover } from './webhooks/recover.ts';
import { status } from './webhooks/status.ts';
import { test } from './webhooks/test.ts';

/** The webhook commands besides the service's own operations. */
export const actions = [listen, status, recover, test, install, uninstall];
