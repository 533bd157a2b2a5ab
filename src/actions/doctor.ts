import * as z from 'zod';
import { list, oneOf, text } from '../contract/schema/scalars.ts';
import { action } from './action/action.ts';
import type { Ports } from './action/ports.ts';
import { type Finding, results } from './doctor/finding.ts';

const finding = z.object({
  check: text('What was checked'),
  result: oneOf(results, 'The result; skipped means that an earlier check failed'),
  found: text('What was found'),
  hint: z.nullable(text('How to fix it; null if nothing is wrong')),
});

/** Runs every check in turn; after an early failure, later ones are reported as skipped. */
async function findingsOf(ports: Ports): Promise<readonly Finding[]> {
  const [{ checkService }, { checkWorkspace }, settings] = await Promise.all([
    import('./doctor/service-checks.ts'),
    import('./doctor/workspace-check.ts'),
    import('./doctor/settings-checks.ts'),
  ]);
  const { finding: address, url } = settings.checkAddress(ports);
  return [
    settings.checkSettings(ports),
    await settings.checkPermissions(ports),
    await checkWorkspace(ports),
    settings.checkProfile(ports),
    address,
    settings.checkProxy(ports, url),
    ...(await checkService(ports, url)),
  ];
}

const doctor = action({
  id: 'doctor',
  words: ['doctor'],
  summary: 'Check settings, keys and the connection to the service',
  description: [
    'Settings and who can read them, the workspace, profile, address, proxy, whether the service answers and accepts the keys, the',
    'clocks, and the version of the service. Settings that are open to other users are closed after asking, or with',
    "--yes. Exits with 0, or with the first failure's own code.",
  ].join('\n'),
  examples: ['shopctl doctor', 'shopctl doctor --json --query "[?result!=\'ok\']"'],
  effect: 'local',
  needs: [],
  diagnoses: true,
  input: z.object({}),
  output: list(finding, 'The checks, one after the other'),
  view: {
    columns: [{ path: 'check' }, { path: 'result', kind: 'state' }, { path: 'found' }],
    name: 'check',
    fields: ['hint'],
  },
  async run(_, ports) {
    const { report } = ports;
    const findings = await findingsOf(ports);
    const failures = findings.filter(({ result }) => result === 'fail');
    const warnings = findings.filter(({ result }) => result === 'warn');
    // A hint is a command to type: in a column of a narrow terminal it would be cut.
    for (const { result, check, found, hint } of [...failures, ...warnings]) {
      const what = result === 'fail' ? 'failed' : 'to look at';
      report.notice(`${what}: ${check}: ${found}${hint === null ? '' : `; ${hint}`}`);
    }
    const [first] = failures;
    if (first?.verdict !== undefined) report.verdict(first.verdict);
    return findings.map(({ verdict: _, ...row }) => row);
  },
});

/** Finds what is wrong with the setup, and how to fix it. */
export const actions = [doctor];
