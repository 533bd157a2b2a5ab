import { curlOf } from '../../action/curl.ts';
import type { Ports } from '../../action/ports.ts';
import { allOperations } from '../../contract/areas.ts';
import { Cleaning, type LeftOver } from '../clean-writes.ts';
import { Probe } from '../probe.ts';
import { openRuns, WriteJournal } from '../write-journal.ts';
import { reachableWith, shopOf, tellUnseen } from './run-conformance.ts';

/**
 * Removes what earlier runs of this machine left at the current service; a run against another service is left alone, and
 * named. With `forget`, what cannot be removed is forgotten.
 */
export async function cleanRuns(ports: Ports, forget: boolean) {
  const { files, places, report } = ports;
  const connection = ports.connection();
  const service = new URL(connection.baseUrl).origin;
  const operations = await allOperations();
  const reachable = await reachableWith(connection);
  const cleaning = new Cleaning(new Probe(connection, () => {}, curlOf), operations);
  const runs: string[] = [];
  const left: LeftOver[] = [];
  let removed = 0;
  const open = await openRuns(files, places.state);
  const shop = open.length === 0 ? undefined : await shopOf(connection);
  for (const run of open) {
    const journal = new WriteJournal(files, places.state, run);
    const remaining = await journal.remaining();
    const elsewhere = remaining.find((entry) => entry.service !== service || entry.shop !== shop);
    if (elsewhere !== undefined && !forget) {
      const where = `shop ${elsewhere.shop} at ${elsewhere.service}`;
      report.insist(`Run ${run} wrote to ${where}, and is cleaned up with a key of that shop.`);
      report.verdict('unknownOutcome');
      continue;
    }
    const orders = remaining.map((entry) => operations.find(({ id }) => id === entry.operation));
    if (elsewhere === undefined) tellUnseen(orders, reachable, remaining[0]?.mark ?? run, report);
    const cleaned = elsewhere === undefined ? await cleaning.clean(journal) : { removed: 0, left: [] };
    runs.push(run);
    removed += cleaned.removed;
    left.push(...cleaned.left);
    if (forget) await journal.close();
  }
  for (const { operation, id, mark, reason } of left) {
    report.insist(`A record of ${operation} is still there: ${id === null ? mark : `id ${id}, ${mark}`}: ${reason}`, {
      code: 'record_left',
      operation,
      id,
      mark,
    });
  }
  if (left.length > 0) report.verdict('unknownOutcome');
  if (runs.length === 0) report.notice('No run left anything behind.');
  return { runs, removed, left };
}
