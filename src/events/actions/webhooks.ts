import { install, uninstall } from './webhooks/install.ts';
import { listen } from './webhooks/listen-action.ts';
import { send } from './webhooks/receiver/send.ts';
import { test } from './webhooks/receiver/test.ts';
import { recover } from './webhooks/recover.ts';
import { status } from './webhooks/status.ts';

/** The webhook commands besides the service's own operations. */
export const actions = [listen, status, recover, send, test, install, uninstall];
