import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { flag, list, oneOf, text } from '../../contract/schema/scalars.ts';
import { type Finding, results, skipped } from './finding.ts';

const finding = z.object({
  check: text('What was checked'),
  result: oneOf(results, 'The result; skipped means that an earlier check failed'),
  found: text('What was found'),
  hint: z.nullable(text('How to fix it; null if nothing is wrong')),
});

/** Runs every check in turn; after an early failure, later ones are reported as skipped. */
async function findingsOf(ports: Ports, isAgreed: boolean): Promise<readonly Finding[]> {
  const [{ checkService }, { checkWorkspace }, { checkDay, checkWebhooks }, machine, settings] = await Promise.all([
    import('./service-checks.ts'),
    import('./workspace-check.ts'),
    import('./day-checks.ts'),
    import('./machine-checks.ts'),
    import('./settings-checks.ts'),
  ]);
  const { finding: address, url } = settings.checkAddress(ports);
  const ofService = await checkService(ports, url);
  const isKeyFine = ofService.some(({ check, result }) => check === 'api key' && result === 'ok');
  return [
    settings.checkSettings(ports),
    ...settings.checkVariables(ports),
    await settings.checkPermissions(ports, isAgreed),
    await machine.checkDisk(ports),
    await machine.checkDriver(ports),
    await checkWorkspace(ports),
    settings.checkProfile(ports),
    address,
    settings.checkProxy(
      ports,
      url,
      ofService.find(({ check }) => check === 'service'),
    ),
    ...ofService,
    isKeyFine ? await checkWebhooks(ports) : skipped('webhooks', 'the service was not asked'),
    ...(await checkDay(ports)),
  ];
}

const doctor = action({
  id: 'doctor',
  words: ['doctor'],
  summary: 'Check settings, keys and the connection to the service',
  description: [
    'Settings and who can read them, room on the disk, the database and the workspace, profile, address, proxy, whether the service',
    'answers and accepts the keys, the clocks, the version of the service, stopped webhooks, unfinished batches, writes whose outcome',
    'is not known, and whether a listener runs. What is wrong is shown with the command that fixes it. Settings that are open to other',
    "users are closed after asking, or with --fix. Exits with 0, or with the first failure's own code.",
  ].join(' '),
  examples: ['shopctl doctor', 'shopctl doctor --json --query "[?result!=\'ok\']"'],
  effect: 'store',
  adds: { fix: 'settings' },
  undo: { whyNot: 'it only closes the settings to other users' },
  needs: [],
  diagnoses: true,
  showsSettings: true,
  input: z.object({ fix: z.optional(flag('fix what is safe to fix: who can read the settings')) }),
  output: list(finding, 'The checks, one after the other'),
  view: {
    columns: [{ path: 'check' }, { path: 'result', kind: 'state' }, { path: 'found' }],
    name: 'check',
    fields: ['hint'],
  },
  async run({ fix = false }, ports) {
    const { report } = ports;
    const findings = await findingsOf(ports, fix);
    const failures = findings.filter(({ result }) => result === 'fail');
    const warnings = findings.filter(({ result }) => result === 'warn');
    // A hint is a command to type: in a column of a narrow terminal it would be cut.
    for (const { result, check, found, hint } of [...failures, ...warnings]) {
      const what = result === 'fail' ? 'failed' : 'to look at';
      report.notice(`${what}: ${check}: ${found}${hint === null ? '' : `; ${hint}`}`);
    }
    const [first] = failures;
    if (first?.verdict !== undefined) report.verdict(first.verdict);
    return findings.map(({ verdict: _, failure: __, ...row }) => row);
  },
});

/** Finds what is wrong with the setup, and how to fix it. */
export const actions = [doctor];
