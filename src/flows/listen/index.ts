// Receiving, forwarding and examining are bundled as one file of the build, loaded only by the commands that need it.

export { sendPost } from '../../platform/node-post.ts';
export { listenForPosts } from '../../platform/node-post-server.ts';
export { runShell } from '../../platform/shell-command.ts';
export { countForgettable, forgetSome } from '../../workspace/events/forget.ts';
export { eventIds, knownEventIds } from '../../workspace/events/ids.ts';
export { keptEvents, keptNumbers, withNumbersOfTime } from '../../workspace/events/list.ts';
export { gapsOf, hookStandings, listenerNames, rememberGap } from '../../workspace/events/listeners.ts';
export { EVENTS } from '../../workspace/events/serving.ts';
export {
  lastEvent,
  removeTarget,
  replayTo,
  retryTarget,
  setTargetState,
  targetStandings,
} from '../../workspace/events/targets.ts';
export { examineReceiver } from '../examine-receiver/examine.ts';
export { junitReport } from '../examine-receiver/junit.ts';
export { createBell } from './bell.ts';
export { ExpressionError, expectationOf } from './expectation.ts';
export { eventRow, followEvents } from './follow.ts';
export { openHands } from './hands.ts';
export { holdListener, ListenerRunningError, startListener } from './listen.ts';
export { namedTargets, shownAddress, TargetError } from './named-targets.ts';
export { hookInUrl, hookOf } from './receiver.ts';
export {
  ensureRegistered,
  keepRegistered,
  missingSince,
  missingTime,
  replaceWebhooks,
  watchWebhooks,
} from './registration.ts';
export { serveTargets } from './serve-targets.ts';
export { systemdUnit, unitName } from './service-unit.ts';
