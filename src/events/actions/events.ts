import { listEvents, showEvent, tailEvents } from './list-events.ts';
import { listTargets, pruneEvents, replayEvents, targetActions } from './replay-events.ts';

/** Changes received by webhooks, and the targets they are delivered to. */
export const actions = [listEvents, showEvent, tailEvents, replayEvents, listTargets, ...targetActions, pruneEvents];
