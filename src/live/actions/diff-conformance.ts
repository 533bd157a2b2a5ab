import { join } from 'node:path';
import { curlOf } from '../../action/curl.ts';
import type { Ports } from '../../action/ports.ts';
import type { Connection } from '../../client/connection.ts';
import { allOperations } from '../../contract/areas.ts';
import type { Credential } from '../../contract/operation.ts';
import { Secret } from '../../platform/settings/secret.ts';
import { readConformance } from '../accepted.ts';
import { AnswerForms, checkDifferences } from '../notebook.ts';
import { areasNamed, type RunInput, SLOW_SECONDS, sureOfShop, writeAndClean } from './run-conformance.ts';

/** The scenarios of a run against one service: the checks, and the form of its answers. */
async function scenariosOf(connection: Connection, input: RunInput, ports: Ports, shop: string | undefined) {
  const forms = new AnswerForms();
  const areas = areasNamed(input.area);
  const state = await readConformance({
    connection,
    operations: await allOperations(),
    slowMs: SLOW_SECONDS * 1000,
    shown: curlOf,
    writes: shop !== undefined,
    onAnswer: (reported) => forms.see(reported),
    ...(areas ? { areas } : {}),
  });
  const left = shop === undefined ? [] : await writeAndClean(ports, state, { shop, areas });
  return { forms, checks: state.notebook.checks, left };
}

/** A connection to a fresh sandbox with the demo's records and keys of those kinds, for as long as `work` takes. */
async function besideSandbox<Value>(
  ports: Ports,
  credentials: ReadonlySet<Credential>,
  work: (connection: Connection, shop: string) => Promise<Value>,
): Promise<Value> {
  const { children, sandboxes, settingsIn } = ports;
  const directory = await children.temporaryDirectory();
  try {
    const store = settingsIn(directory.path);
    const stateDirectory = join(directory.path, 'state');
    const start = {
      name: 'default',
      port: 0,
      data: undefined,
      seed: 'demo',
      allowHosts: [],
      processGoesOn: true,
      signedIn: true,
    } as const;
    const running = await sandboxes.start({ ...start, stateDirectory, store });
    try {
      const { profiles } = await store.read();
      const { drift: _, ...connection } = ports.connection(running.baseUrl);
      const { sandbox, 'sandbox-shop': own } = profiles;
      const [[shop, grant] = ['']] = Object.entries(sandbox?.shops ?? {});
      const keys = { 'shop-api-key': own?.api_key, 'partner-api-key': sandbox?.api_key, 'shop-key': grant?.shop_key };
      const key: Connection['key'] = (credential) => {
        const text = keys[credential];
        return text === undefined || !credentials.has(credential) ? undefined : { secret: new Secret(text), shop };
      };
      return await work({ ...connection, key }, shop);
    } finally {
      await running.close();
    }
  } finally {
    await directory.remove();
  }
}

/** Runs the same scenarios against the service and a fresh sandbox, and lists where the two differ. */
export async function diffConformance(input: RunInput, ports: Ports, connection: Connection) {
  const shop = input.write_shop ?? undefined;
  if (shop !== undefined) await sureOfShop(connection, shop);
  const service = await scenariosOf(connection, input, ports, shop);
  const operations = await allOperations();
  const reached = operations.flatMap(({ credential }) => (connection.key(credential) ? [credential] : []));
  const sandbox = await besideSandbox(ports, new Set(reached), (beside, demoShop) =>
    scenariosOf(beside, input, ports, shop === undefined ? undefined : demoShop),
  );
  for (const { operation, mark, reason } of service.left) {
    ports.report.insist(`A record of ${operation} is still there: ${mark}: ${reason}`, {
      code: 'record_left',
      operation,
      mark,
    });
  }
  if (service.left.length > 0) ports.report.verdict('unknownOutcome');
  const found = [...checkDifferences(service.checks, sandbox.checks), ...service.forms.differences(sandbox.forms)];
  if (found.length > 0) ports.report.verdict('different');
  else ports.report.notice('The sandbox and the service did the same wherever both could be asked.');
  return found;
}
