// Copying a shop into its mirror is one file of the build, loaded only by the commands that need it.

export { poll, wasSynced } from './news/poll.ts';
export { areaStatus } from './status.ts';
export { mirrorAreas } from './store/declared/areas.ts';
export { forgetMirror } from './store/forget-mirror.ts';
export { mirrorExists, openMirror } from './store/open-mirror.ts';
export { describedTables } from './store/schema/describe.ts';
export { areaStates } from './store/store/areas.ts';
export { copyPayments } from './store/write/copy-payments.ts';
export { syncAreas } from './sync.ts';
export { callsToVerify, listsToVerify, shownValue, verifyAreas } from './verify/verify.ts';
export { partnerAreas } from './walk/sync-known.ts';
