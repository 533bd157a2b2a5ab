import type { Group, Invocation, Result } from '../command.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkService } from '../doctor/service-checks.ts';
import { checkAddress, checkPermissions, checkProfile, checkProxy, checkSettings } from '../doctor/settings-checks.ts';
import type { View } from '../document.ts';
import { beforeSending } from '../how-to-print.ts';

const view: View = {
  columns: ['check', 'result', 'found', 'hint'].map((path) => ({ path })),
  name: 'check',
};

/** Every check in turn; what fails early leaves the later ones out, and is told. */
async function findingsOf(invocation: Invocation): Promise<readonly Finding[]> {
  const { finding, url } = checkAddress(invocation);
  return [
    checkSettings(invocation),
    await checkPermissions(invocation),
    checkProfile(invocation),
    finding,
    checkProxy(invocation, url),
    ...(await checkService(invocation, url)),
  ];
}

async function run(invocation: Invocation): Promise<Result> {
  const listed = await beforeSending(invocation.context, invocation.session, view);
  if (listed !== undefined) return listed;
  const findings = await findingsOf(invocation);
  const rows = findings.map(({ exit: _, ...finding }) => finding);
  const failures = findings.filter(({ result }) => result === 'fail');
  const warnings = findings.filter(({ result }) => result === 'warn').length;
  const told = [
    ...(failures.length > 0 ? [`failed: ${failures.map(({ check }) => check).join(', ')}`] : []),
    ...(warnings > 0 ? [`to look at: ${warnings}`] : []),
  ];
  const exit = failures[0]?.exit;
  return { document: { kind: 'list', rows, view }, notices: told, ...(exit === undefined ? {} : { exit }) };
}

/** `shopctl doctor`: what is wrong here, and what to do about it. */
export const group: Group = {
  commands: [
    {
      words: [],
      summary: 'Check settings, keys and the way to the service',
      description: [
        'Settings and who can reach them, profile, address, proxy, whether the service answers and accepts the keys, the',
        'clocks, and the version of the service. Settings that are open to other users are closed after asking, or with',
        "--yes. Exits with 0, or with the first failure's own code.",
      ].join('\n'),
      examples: ['shopctl doctor', 'shopctl doctor --json --query "[?result!=\'ok\']"'],
      diagnoses: true,
      run,
    },
  ],
};
