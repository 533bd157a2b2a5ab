import { listEvents, showEvent, tailEvents } from './events/list.ts';
import { listTargets, pruneEvents, replayEvents, targetActions } from './events/replay.ts';

/** What came by webhooks, and whom it is handed to. */
export const actions = [listEvents, showEvent, tailEvents, replayEvents, listTargets, ...targetActions, pruneEvents];
