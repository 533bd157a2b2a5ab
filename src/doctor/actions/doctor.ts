import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { flag, list, oneOf, text } from '../../contract/schema/scalars.ts';
import { elapsedOn } from '../../platform/process/clock.ts';
import { type Finding, results, skipped } from './finding.ts';

const finding = z.object({
  check: text('What was checked'),
  result: oneOf(results, 'The result; skipped means that an earlier check failed'),
  found: text('What was found'),
  hint: z.nullable(text('How to fix it; null if nothing is wrong')),
});

/** How long a database, and the service with all that it is asked, are waited for: every answer comes within ten seconds. */
const DATABASE_MS = 5_000;
const SERVICE_MS = 8_000;

/** The ports of a run that answers soon, whatever is away: nothing is asked twice. */
function soon(ports: Ports): Ports {
  const until = elapsedOn(ports.clock) + SERVICE_MS;
  const connection: Ports['connection'] = (baseUrl) => {
    const usual = ports.connection(baseUrl);
    return {
      ...usual,
      maxRetries: 0,
      get timeoutMs() {
        return Math.max(1, Math.min(usual.timeoutMs, until - elapsedOn(ports.clock)));
      },
    };
  };
  const waiting = { ...ports.waiting, patienceMs: DATABASE_MS };
  // Not a copy: what is read from the machine on first use stays unread.
  return Object.create(ports, { waiting: { value: waiting }, connection: { value: connection } });
}

/** Runs every check, those that wait side by side; after an early failure, later ones are reported as skipped. */
async function findingsOf(given: Ports, isAgreed: boolean): Promise<readonly Finding[]> {
  const ports = soon(given);
  const [{ checkService }, { checkWorkspace }, { checkDay, checkWebhooks }, machine, settings] = await Promise.all([
    import('./service-checks.ts'),
    import('./workspace-check.ts'),
    import('./day-checks.ts'),
    import('./machine-checks.ts'),
    import('./settings-checks.ts'),
  ]);
  const { finding: address, url } = settings.checkAddress(ports);
  // It may ask a person, who reads nothing else meanwhile.
  const permissions = await settings.checkPermissions(ports, isAgreed);
  const askService = async () => {
    const found = await checkService(ports, url);
    const isKeyFine = found.some(({ check, result }) => check === 'api key' && result === 'ok');
    return {
      found,
      webhooks: isKeyFine ? await checkWebhooks(ports) : skipped('webhooks', 'the service was not asked'),
    };
  };
  const askWorkspace = async () => {
    const workspace = await checkWorkspace(ports);
    return [workspace, ...(await checkDay(ports, workspace))] as const;
  };
  const [{ found: ofService, webhooks }, [workspace, ...day], disk, driver] = await Promise.all([
    askService(),
    askWorkspace(),
    machine.checkDisk(ports),
    machine.checkDriver(ports),
  ]);
  return [
    settings.checkSettings(ports),
    ...settings.checkVariables(ports),
    permissions,
    disk,
    driver,
    workspace,
    settings.checkProfile(ports),
    address,
    settings.checkProxy(
      ports,
      url,
      ofService.find(({ check }) => check === 'service'),
    ),
    ...ofService,
    webhooks,
    ...day,
  ];
}

const doctor = action({
  id: 'doctor',
  words: ['doctor'],
  summary: 'Check settings, keys and the connection to the service',
  description: [
    'Settings and who can read them, room on the disk, the database and the workspace, profile, address, proxy, whether the service',
    'answers and accepts the keys, the clocks, the version of the service, stopped and failing webhooks, unfinished batches, writes whose outcome',
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
