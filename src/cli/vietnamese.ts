import { accountVietnamese } from '../account/texts.vi.ts';
import { actionVietnamese } from '../action/texts.vi.ts';
import { agentsVietnamese } from '../agents/texts.vi.ts';
import { batchVietnamese } from '../batch/texts.vi.ts';
import { codVietnamese } from '../cod/texts.vi.ts';
import { consoleSentences, consoleVietnamese } from '../console/texts.vi.ts';
import { sandboxVietnamese } from '../contract/control/texts.vi.ts';
import { labelVietnamese, learnSentences } from '../contract/labels.vi.ts';
import { contractVietnamese } from '../contract/texts.vi.ts';
import { doctorVietnamese } from '../doctor/actions/texts.vi.ts';
import type { Spoken } from '../domain/language.ts';
import { domainVietnamese } from '../domain/texts.vi.ts';
import { eventsVietnamese } from '../events/actions/texts.vi.ts';
import { ledgerVietnamese } from '../ledger/texts.vi.ts';
import { liveSentences, liveVietnamese } from '../live/texts.vi.ts';
import { mirrorSentences, mirrorVietnamese } from '../mirror/texts.vi.ts';
import { operationsVietnamese } from '../operations/actions/texts.vi.ts';
import { platformVietnamese } from '../platform/terminal/texts.vi.ts';
import { reportsVietnamese } from '../reports/texts.vi.ts';
import { sheetsVietnamese } from '../sheets/texts.vi.ts';
import { shipVietnamese } from '../ship/texts.vi.ts';
import { slipsVietnamese } from '../slips/texts.vi.ts';
import { workspaceVietnamese } from '../workspace/actions/texts.vi.ts';
import { errorsVietnamese } from './errors/texts.vi.ts';
import { printVietnamese } from './print/texts.vi.ts';
import { runVietnamese } from './run/texts.vi.ts';

for (const sentences of [consoleSentences, mirrorSentences, liveSentences]) learnSentences(sentences);

/** Every catalogue there is, by its subject; whatever has none is said in English. */
const catalogues: Readonly<Record<string, object>> = {
  account: accountVietnamese,
  action: actionVietnamese,
  agents: agentsVietnamese,
  batch: batchVietnamese,
  errors: errorsVietnamese,
  print: printVietnamese,
  run: runVietnamese,
  cod: codVietnamese,
  console: consoleVietnamese,
  label: labelVietnamese,
  live: liveVietnamese,
  contract: contractVietnamese,
  doctor: doctorVietnamese,
  domain: domainVietnamese,
  events: eventsVietnamese,
  ledger: ledgerVietnamese,
  mirror: mirrorVietnamese,
  operations: operationsVietnamese,
  platform: platformVietnamese,
  sandbox: sandboxVietnamese,
  reports: reportsVietnamese,
  sheets: sheetsVietnamese,
  ship: shipVietnamese,
  slips: slipsVietnamese,
  workspace: workspaceVietnamese,
};

/** Vietnamese; loaded for a run that speaks it. */
export const vietnamese: Spoken = {
  name: 'vi',
  textsOf: (subject, english) => ({ ...english, ...catalogues[subject] }),
};
