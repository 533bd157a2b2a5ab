import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { labels } from '../../contract/labels.ts';
import { flag, list, oneOf, text } from '../../contract/schema/scalars.ts';
import { elapsedOn } from '../../platform/process/clock.ts';
import { displayWidth } from '../../platform/terminal/text-width.ts';
import { type Finding, results, skipped } from './finding.ts';
import { say } from './texts.ts';

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

/** The checks in the order of a report. */
const order = [
  ...['settings', 'variables', 'permissions', 'disk', 'database', 'workspace', 'profile', 'address', 'proxy'],
  ...['service', 'api key', 'shop key', 'clock', 'version', 'webhooks', 'batches', 'writes', 'listener'],
];

const inOrder = (findings: readonly Finding[]) =>
  findings.toSorted((one, other) => order.indexOf(one.check) - order.indexOf(other.check));

/** What several sources yield, each value as soon as it is there. */
async function* asTheyCome<Value>(sources: readonly AsyncGenerator<Value, void>[]): AsyncGenerator<Value, void> {
  const nextOf = async (source: AsyncGenerator<Value, void>) => ({ source, next: await source.next() });
  const awaited = new Map(sources.map((source) => [source, nextOf(source)]));
  while (awaited.size > 0) {
    const { source, next } = await Promise.race(awaited.values());
    if (next.done === true) awaited.delete(source);
    else {
      awaited.set(source, nextOf(source));
      yield next.value;
    }
  }
}

/** Runs every check, those that wait side by side; after an early failure, later ones are reported as skipped. */
async function findingsOf(given: Ports, isAgreed: boolean): Promise<AsyncGenerator<Finding, void>> {
  const ports = soon(given);
  const [{ checkService }, { checkDay, checkWebhooks }, machine, settings] = await Promise.all([
    import('./service-checks.ts'),
    import('./day-checks.ts'),
    import('./machine-checks.ts'),
    import('./settings-checks.ts'),
  ]);
  const { finding: address, url } = settings.checkAddress(ports);
  // It may ask a person, who reads nothing else meanwhile.
  const permissions = await settings.checkPermissions(ports, isAgreed);
  async function* ofSettings() {
    yield settings.checkSettings(ports);
    yield* settings.checkVariables(ports);
    yield permissions;
    yield* [settings.checkProfile(ports), address];
  }
  async function* ofMachine() {
    yield await machine.checkDisk(ports);
    yield await machine.checkDriver(ports);
  }
  async function* ofWorkspace() {
    const workspace = await machine.checkWorkspace(ports);
    yield workspace;
    yield* await checkDay(ports, workspace);
  }
  async function* ofService() {
    let isKeyFine = false;
    for await (const found of checkService(ports, url)) {
      if (found.check === 'service') yield settings.checkProxy(ports, url, found);
      if (found.check === 'api key') isKeyFine = found.result === 'ok';
      yield found;
    }
    yield isKeyFine ? await checkWebhooks(ports) : skipped('webhooks', say().webhooks.notAsked);
  }
  return asTheyCome([ofSettings(), ofMachine(), ofWorkspace(), ofService()]);
}

/** What to do about the findings, and the exit code of the first failure, whichever came first. */
function reportOn(found: readonly Finding[], { report }: Ports): void {
  const findings = inOrder(found);
  const failures = findings.filter(({ result }) => result === 'fail');
  const warnings = findings.filter(({ result }) => result === 'warn');
  // A hint is a command to type: in a column of a narrow terminal it would be cut.
  for (const { result, check, found, hint } of [...failures, ...warnings]) {
    const facts = { check: labels().state(check), found: `${found}${hint === null ? '' : `; ${hint}`}` };
    report.notice(result === 'fail' ? say().failed(facts) : say().toLookAt(facts));
  }
  const [first] = failures;
  if (first?.verdict !== undefined) report.verdict(first.verdict);
}

/** The width of the longest word of some states. */
const widest = (states: readonly string[]) => Math.max(...states.map((state) => displayWidth(labels().state(state))));

const doctor = action({
  id: 'doctor',
  words: ['doctor'],
  summary: 'Check settings, keys and the connection to the service',
  description: [
    'Settings and who can read them, room on the disk, the database and the workspace, profile, address, proxy, whether the service',
    'answers and accepts the keys, the clocks, the version of the service, stopped and failing webhooks, unfinished batches, writes whose outcome',
    'is not known, and whether a listener runs. Each is shown as it ends. What is wrong is shown with the command that fixes it. Settings that are open to other',
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
  view: () => ({
    columns: [{ path: 'check', kind: 'state' }, { path: 'result', kind: 'state' }, { path: 'found' }],
    name: 'check',
    fields: ['hint'],
    // As wide as every check, every result and most of what is found.
    comes: { inOrder: order, widths: [widest(order), widest(results), 80] },
  }),
  async run({ fix = false }, ports) {
    const findings = await findingsOf(ports, fix);
    async function* rows() {
      const found: Finding[] = [];
      for await (const finding of findings) {
        found.push(finding);
        const { verdict: _, failure: __, ...row } = finding;
        yield row;
      }
      reportOn(found, ports);
    }
    return rows();
  },
});

/** Finds what is wrong with the setup, and how to fix it. */
export const actions = [doctor];
