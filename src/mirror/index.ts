// Copying a shop into its mirror is one file of the build, loaded only by the commands that need it.

export { poll, wasSynced } from './poll.ts';
export { areaStatus } from './status.ts';
export { areaStates } from './store/area-states.ts';
export { mirrorAreas } from './store/declared-areas.ts';
export { describedTables } from './store/describe-tables.ts';
export { forgetMirror, mirrorExists, openMirror } from './store/open-mirror.ts';
export { copyPayments } from './store/write/copy-payments.ts';
export { syncAreas } from './sync.ts';
export { partnerAreas } from './sync-known.ts';
export { callsToVerify, listsToVerify, shownValue, verifyAreas } from './verify.ts';
