// What the commands of cash on delivery load once they run.

export { reportedBy } from './classes.ts';
export { disputeSheet } from './dispute-sheet.ts';
export { idOfPayments, importPayments } from './import-payments.ts';
export { carrierFile, paymentWeeks } from './payment-file.ts';
export { Payments } from './payments.ts';
export { explainReceived, reconcile, sessionKinds, totalOf } from './reconcile.ts';
export { graceOf, startOfDay, workingDaysBefore } from './times-sql.ts';
