// Receiving, forwarding and examining are bundled as one file of the build, loaded only by the commands that need it.

export { runShell } from '../../platform/children/shell-command.ts';
export { sendPost } from '../../platform/http/node-post.ts';
export { listenForPosts } from '../../platform/server/node-post-server.ts';
export { countForgettable, forgetSome } from '../../workspace/events/forget.ts';
export { eventIds, knownEventIds } from '../../workspace/events/ids.ts';
export { storedEvents, storedNumbers, withNumbersOfTime } from '../../workspace/events/list.ts';
export { forgetGaps, gapsOf, hookStandings, listenerNames, rememberGap } from '../../workspace/events/listeners.ts';
export { polledSince } from '../../workspace/events/polls.ts';
export { EVENTS } from '../../workspace/events/serving.ts';
export {
  lastEvent,
  removeTarget,
  retryTarget,
  setTargetState,
  targetStandings,
  targetsOf,
} from '../../workspace/events/targets.ts';
export { examineReceiver } from '../check-receiver/check-receiver.ts';
export { examinationJunit } from '../check-receiver/junit.ts';
export { receive } from '../check-receiver/receive.ts';
export { createBell } from './bell.ts';
export { ExpressionError, expectationOf } from './expectation.ts';
export { eventRow, followEvents } from './follow.ts';
export { isListening, startListener } from './listen.ts';
export { hookInUrl, hookOf } from './receive/receiver.ts';
export {
  ensureRegistered,
  missingSince,
  missingTime,
  replaceWebhooks,
  storeRegistered,
  watchWebhooks,
} from './receive/registration.ts';
export { replayChanges } from './replay.ts';
export { systemdUnit, unitName } from './service-unit.ts';
export { openHands } from './targets/hands.ts';
export { namedTargets, shownAddress, TargetError, targetMeant } from './targets/named-targets.ts';
