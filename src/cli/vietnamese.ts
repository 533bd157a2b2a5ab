import { accountTexts } from '../account/texts.ts';
import { accountVietnamese } from '../account/texts.vi.ts';
import { actionTexts } from '../action/texts.ts';
import { actionVietnamese } from '../action/texts.vi.ts';
import { batchTexts } from '../batch/texts.ts';
import { batchVietnamese } from '../batch/texts.vi.ts';
import { codTexts } from '../cod/texts.ts';
import { codVietnamese } from '../cod/texts.vi.ts';
import { contractTexts } from '../contract/texts.ts';
import { contractVietnamese } from '../contract/texts.vi.ts';
import type { Spoken } from '../domain/language.ts';
import { domainTexts } from '../domain/texts.ts';
import { domainVietnamese } from '../domain/texts.vi.ts';
import { ledgerTexts } from '../ledger/texts.ts';
import { ledgerVietnamese } from '../ledger/texts.vi.ts';
import { operationsTexts } from '../operations/texts.ts';
import { operationsVietnamese } from '../operations/texts.vi.ts';
import { terminalTexts } from '../platform/terminal/texts.ts';
import { terminalVietnamese } from '../platform/terminal/texts.vi.ts';
import { reportsTexts } from '../reports/texts.ts';
import { reportsVietnamese } from '../reports/texts.vi.ts';
import { sheetsTexts } from '../sheets/texts.ts';
import { sheetsVietnamese } from '../sheets/texts.vi.ts';
import { shipTexts } from '../ship/texts.ts';
import { shipVietnamese } from '../ship/texts.vi.ts';
import { slipsTexts } from '../slips/texts.ts';
import { slipsVietnamese } from '../slips/texts.vi.ts';
import { errorsTexts } from './errors/texts.ts';
import { errorsVietnamese } from './errors/texts.vi.ts';
import { printTexts } from './print/texts.ts';
import { printVietnamese } from './print/texts.vi.ts';
import { runTexts } from './run/texts.ts';
import { runVietnamese } from './run/texts.vi.ts';

/** The texts of a subject in English, and the same in Vietnamese. */
const pair = <Texts extends object>(english: Texts, vietnamese: Texts) => [english, vietnamese] as const;

/** Every catalogue there is; whatever has none is said in English. */
export const catalogues: ReadonlyMap<object, object> = new Map<object, object>([
  pair(batchTexts, batchVietnamese),
  pair(ledgerTexts, ledgerVietnamese),
  pair(sheetsTexts, sheetsVietnamese),
  pair(contractTexts, contractVietnamese),
  pair(shipTexts, shipVietnamese),
  pair(operationsTexts, operationsVietnamese),
  pair(actionTexts, actionVietnamese),
  pair(codTexts, codVietnamese),
  pair(reportsTexts, reportsVietnamese),
  pair(slipsTexts, slipsVietnamese),
  pair(accountTexts, accountVietnamese),
  pair(errorsTexts, errorsVietnamese),
  pair(runTexts, runVietnamese),
  pair(domainTexts, domainVietnamese),
  pair(terminalTexts, terminalVietnamese),
  pair(printTexts, printVietnamese),
]);

/** Vietnamese; loaded for a run that speaks it. */
export const vietnamese: Spoken = {
  name: 'vi',
  textsOf: <Texts extends object>(english: Texts) => (catalogues.get(english) ?? english) as Texts,
};
