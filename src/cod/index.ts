// Cash on delivery is one file of the build, loaded only by the commands that need it.

export { reportedBy } from './classes.ts';
export { disputeSheet } from './dispute-sheet.ts';
export { idOfPayments, importPayments } from './import-payments.ts';
export { carrierFile, paymentWeeks } from './payment-file.ts';
export { Payments } from './payments.ts';
export { explainReceived, reconcile, sessionKinds, totalOf } from './reconcile.ts';
export { readPayments } from './sheet/read-payments.ts';
export { graceOf, startOfDay, workingDaysBefore } from './times-sql.ts';
