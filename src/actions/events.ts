import { listEvents, showEvent, tailEvents } from './events/list.ts';
import { listTargets, pruneEvents, replayEvents, targetActions } from './events/replay.ts';

/** Changes received by webhooks, and the targets they are delivered to. */
export const actions = [listEvents, showEvent, tailEvents, replayEvents, listTargets, ...targetActions, pruneEvents];
