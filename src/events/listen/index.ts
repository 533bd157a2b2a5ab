// Receiving, forwarding and examining are bundled as one file of the build, loaded only by the commands that need it.

export { sendPost } from '../../platform/http/post.ts';
export { runShell } from '../../platform/process/shell-command.ts';
export { listenForPosts } from '../../platform/server/http-server.ts';
export { examinationJunit, examineReceiver } from '../check-receiver/check-receiver.ts';
export { receive } from '../check-receiver/receive.ts';
export { countForgettable, forgetSome } from '../store/forget.ts';
export { eventIds, knownEventIds } from '../store/ids.ts';
export { storedEvents, storedNumbers, withNumbersOfTime } from '../store/list.ts';
export { forgetGaps, gapsOf, hookStandings, listenerNames, rememberGap } from '../store/listeners.ts';
export { polledSince } from '../store/polls.ts';
export { EVENTS } from '../store/serving.ts';
export {
  lastEvent,
  removeTarget,
  retryTarget,
  setTargetState,
  targetStandings,
  targetsOf,
} from '../store/targets.ts';
export { createChangeSignal } from './change-signal.ts';
export { ExpressionError, expectationOf } from './expectation.ts';
export { eventRow, followEvents } from './follow.ts';
export { openHands } from './forward/hands.ts';
export { namedTargets, shownAddress, TargetError, targetMeant } from './forward/named-targets.ts';
export { isListening, startListener } from './listen.ts';
export { hookInUrl, hookOf } from './receiver.ts';
export {
  ensureRegistered,
  missingSince,
  missingTime,
  replaceWebhooks,
  storeRegistered,
  watchWebhooks,
} from './registration.ts';
export { replayChanges } from './replay.ts';
