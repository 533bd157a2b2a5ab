import { listEvents, showEvent, tailEvents } from './list.ts';
import { listTargets, pruneEvents, replayEvents, targetActions } from './replay.ts';

/** Changes received by webhooks, and the targets they are delivered to. */
export const actions = [listEvents, showEvent, tailEvents, replayEvents, listTargets, ...targetActions, pruneEvents];
