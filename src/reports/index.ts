// Reports are one file of the build, loaded only by the commands that need them.

export { dayOfShop, paidByFiles } from './day.ts';
export { indexPage, leftOut, reportPage, spanText } from './report-page.ts';
export { NeverSynced, prepareReport, runReport } from './run-report.ts';
