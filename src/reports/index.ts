// Reports are one file of the build, loaded only by the commands that need them.

export { dayOfShop } from './day.ts';
export { indexPage } from './pages/index-page.ts';
export { leftOut, reportPage, spanText } from './pages/report-page.ts';
export { NeverSynced, prepareReport, runReport } from './run-report.ts';
