import { takeUpTargets } from '../../../src/events/store/targets.ts';
import { openWorkspace } from '../../../src/store/open-workspace.ts';
import { keepAt, lifeChange, noteChange } from '../../events/changes.ts';
import { testMachine } from '../../support/context.ts';
import { fetchTransport } from '../../support/fetch-transport.ts';
import { listeningReceiver } from '../../support/receiver.ts';
import { workspaceOf } from './workspace-of.ts';

/** The ids of the two orders. */
export const [one, other] = ['1000000000000000011', '1000000000000000013'];

/** A machine whose workspace has four changes of two orders, and two targets: one that is there, one that is not. */
export async function machineWithEvents() {
  const machine = testMachine(fetchTransport);
  const target = await listeningReceiver();
  const { env, account, place } = await workspaceOf(machine);
  const workspace = await openWorkspace(place);
  const shared = { kind: 'url', entity: null, change_type: null, accept: 'ok', give_up_ms: 1000 } as const;
  await workspace.write((database) =>
    takeUpTargets(
      database,
      account,
      [
        { ...shared, name: 'there', address: target.url },
        { ...shared, name: 'away', address: 'http://127.0.0.1:1/' },
      ],
      '2026-01-31T08:00:00.000Z',
    ),
  );
  await keepAt(workspace, { account, hook: 'shop' }, lifeChange('create', one), noteChange(one, 'A'));
  await keepAt(workspace, { account, hook: 'shop' }, lifeChange('create', other), noteChange(one, 'B\u202e'));
  await workspace.close();
  /** Keeps more changes of the same webhook. */
  const keep = async (...changes: readonly object[]) => {
    const again = await openWorkspace(place);
    await keepAt(again, { account, hook: 'shop' }, ...changes);
    await again.close();
  };
  const run: typeof machine.run = (words, options) => machine.run(words, { ...options, env });
  const json = async (...words: readonly string[]) => {
    const { exit, stdout, stderr } = await run([...words, '-o', 'json']);
    return { exit, stderr, value: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  return { keep, machine: { ...machine, run }, run, target, json };
}
