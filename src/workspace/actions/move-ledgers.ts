import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { addressOf } from '../../client/account.ts';
import { Refusal } from '../../client/refusal.ts';
import { int, oneOf, requiring, text } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { eventAccount } from '../../events/actions/event-account.ts';
import { identityOf, isSameLedger } from '../../ledger/actions/own-ledger.ts';
import { ledgerOptions, openWorkspace, workspacePlace } from '../../ledger/open.ts';
import type { StoredLedger } from '../../platform/settings/settings.ts';
import { isPostgresAddress } from '../../store/postgres-address.ts';
import { type Workspace, WorkspaceError } from '../../store/workspace.ts';
import { say } from './texts.ts';

const isAddress = (given: string) => /^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : '');

const address = (description: string) =>
  text(description)
    .refine(isAddress, { error: () => say().address.none })
    .meta({ description });

const input = requiring({ one: address('an address of the service'), other: address('another address') }, {});

const output = z.object({
  one: text('The first address'),
  other: text('The other one'),
  are: oneOf(['same', 'separate'], 'Whether they are one service, with one ledger, or two'),
});

type Said = 'same' | 'separate';

async function store(are: Said, given: z.output<typeof input>, ports: Ports): Promise<z.output<typeof output>> {
  const [one, other] = [addressOf(given.one), addressOf(given.other)];
  if (one === other) throw new Refusal('one_address', say().address.one({ address: one }), { kind: 'usage' });
  const workspace: Workspace = await openWorkspace(ports);
  try {
    ports.intend({ addresses: [one, other], are });
    await ports.person.confirm({
      what: say().address.saying({ one, other }),
      message: say().address[are]({ one, other }),
    });
    const { joinAddresses, separateAddresses } = await import('../store/join-addresses.ts');
    const answer = are === 'same' ? joinAddresses : separateAddresses;
    await answer(workspace, { one, other, at: ports.clock.now() });
    return { one, other, are };
  } finally {
    await workspace.close();
  }
}

const view: View = { columns: [{ path: 'one' }, { path: 'other' }, { path: 'are', kind: 'state' }], name: 'one' };

/** `workspace address same`. */
export const sameAddress = action({
  id: 'workspace.address.same',
  words: ['workspace', 'address', 'same'],
  summary: 'Say that two addresses lead to one service',
  description:
    'A second address of a shop that the ledger knows is refused until you have said whether it is the same service. What was sent to either then counts at both: equal orders, names, batches and their undo. Other shopctl processes must be stopped.',
  examples: ['shopctl workspace address same https://shop.example https://gateway.example'],
  effect: 'settings',
  undo: { whyNot: 'the answer stays' },
  confirm: 'yes',
  needs: ['workspace'],
  input,
  positional: ['one', 'other'],
  output,
  view,
  run: (given, ports) => store('same', given, ports),
});

/** `workspace address separate`. */
export const separateAddress = action({
  id: 'workspace.address.separate',
  words: ['workspace', 'address', 'separate'],
  summary: 'Say that two addresses lead to two services',
  description:
    'Each has a ledger of its own from then on: what is sent to one can be sent to the other as well. What was sent while they counted as one counts at both. Other shopctl processes must be stopped.',
  examples: ['shopctl workspace address separate https://shop.example https://test.example'],
  effect: 'settings',
  undo: { whyNot: 'the answer stays' },
  confirm: 'yes',
  needs: ['workspace'],
  input,
  positional: ['one', 'other'],
  output,
  view,
  run: (given, ports) => store('separate', given, ports),
});

/** A ledger that was moved, and how much of it. */
export const movedLedger = z.object({
  from: text('Where it was'),
  to: text('Where it is now'),
  writes: int('Writes that the ledger knows', 'records'),
  batches: int('Batches', 'records'),
  events: int('Received changes', 'records'),
});

/** Looks into a workspace in a file; undefined if it was moved. Throws a WorkspaceError. */
async function inFile<Seen>(place: string, look: (workspace: Workspace) => Promise<Seen>): Promise<Seen | undefined> {
  const { openWorkspace } = await import('../../store/open-workspace.ts');
  try {
    const workspace = await openWorkspace(place);
    return await look(workspace).finally(() => workspace.close());
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'workspace_moved') return undefined;
    throw error;
  }
}

/**
 * The ledgers that are not in this workspace: those that the settings remember, and where this user's files usually are,
 * since nobody remembers a workspace that has received changes and sent nothing.
 */
async function elsewhere(here: StoredLedger, { store, places }: Ports): Promise<StoredLedger[]> {
  const known = Object.values((await store.read()).ledgers ?? {});
  const isKnown = (place: string) => [here, ...known].some((one) => one.place === place);
  const usual = [...new Set([places.state, places.usualState])].map((state) => join(state, 'workspace.db'));
  const { isUsed } = await import('../store/move.ts');
  const identityIfUsed = async (workspace: Workspace) =>
    (await isUsed(workspace)) ? identityOf(workspace) : undefined;
  const there = usual.filter((place) => !isKnown(place) && existsSync(place));
  const found = await Promise.all(there.map((place) => inFile(place, identityIfUsed)));
  const others = [...known, ...found].filter((one) => one !== undefined && !isSameLedger(one, here));
  return [...new Map(others.flatMap((one) => (one ? [[`${one.id} ${one.place}`, one]] : []))).values()];
}

/** Whose the changes are that a file has received, where the workspace in use says it. Throws a Refusal if no key tells. */
async function accountOfEvents(
  { place }: StoredLedger,
  workspace: Workspace,
  ports: Ports,
): Promise<string | undefined> {
  if (workspace.serverTime === undefined || place.includes('://') || !existsSync(place)) return undefined;
  const { hasEvents } = await import('../store/move.ts');
  return (await inFile(place, hasEvents)) ? eventAccount(ports, workspace) : undefined;
}

/** Where a ledger is now that was moved to a place, and perhaps on from there. Throws a WorkspaceError. */
async function placeNow(moved: string, known: readonly StoredLedger[]): Promise<string> {
  const { openWorkspace } = await import('../../store/open-workspace.ts');
  const passed = new Set<string>();
  for (let place = moved; ; ) {
    const isThere = isPostgresAddress(place) || existsSync(place);
    if (known.some((one) => one.place === place) || passed.has(place) || !isThere) return place;
    passed.add(place);
    try {
      await (await openWorkspace(place)).close();
      return place;
    } catch (error) {
      if (!(error instanceof WorkspaceError) || error.movedTo === undefined) throw error;
      place = error.movedTo;
    }
  }
}

/** What SQLite writes beside a file. */
const BESIDE = ['', '-wal', '-shm', '-journal'];

/**
 * Opens the workspace in use to move ledgers into it. A file from which they were moved away is refused for good: it
 * knows nothing of what was sent since. If they are moved back, it is renamed, and a new one begins, which is refused in turn
 * until it has them, since the settings say where they are. Throws a WorkspaceError.
 */
export async function openForMove(ports: Ports): Promise<Workspace> {
  try {
    return await openWorkspace(ports);
  } catch (error) {
    const there = error instanceof WorkspaceError ? error.movedTo : undefined;
    if (!(error instanceof WorkspaceError) || there === undefined) throw error;
    const { message } = error;
    const place = workspacePlace(ports);
    const refuse = (hint: string) => new WorkspaceError('workspace_moved', message, { hint, movedTo: there });
    if (isPostgresAddress(place)) throw refuse(say().move.emptyDatabase);
    const known = Object.values((await ports.store.read()).ledgers ?? {});
    const now = await placeNow(there, known);
    if (!known.some((one) => one.place === now)) throw refuse(say().move.noLedger({ place: now }));
    const aside = `${place}.moved-${ports.clock.now()}`;
    ports.intend({ move: [now], to: place, rename: aside });
    await ports.person.confirm({
      what: say().move.movingBack({ place: now }),
      message: say().move.back({ place, now, aside }),
    });
    for (const end of BESIDE) if (existsSync(`${place}${end}`)) renameSync(`${place}${end}`, `${aside}${end}`);
    ports.report.notice(say().move.aside({ place, aside }));
    return openWorkspace(ports);
  }
}

/** Remembers for every account of a ledger where it is now; and of one that no account has written to, that it is there. */
async function follow(from: StoredLedger, to: StoredLedger, { store }: Ports): Promise<void> {
  await store.update((settings) => {
    const ledgers = Object.entries(settings.ledgers ?? {});
    const isOfIt = ({ id, place }: StoredLedger) => id === from.id && place === from.place;
    const moved = ledgers.map(([key, one]) => [key, isOfIt(one) ? to : one] as const);
    const received = ledgers.some(([, one]) => isOfIt(one)) ? [] : [[`received ${to.id}`, to] as const];
    return { ...settings, ledgers: Object.fromEntries([...moved, ...received]) };
  });
}

/** Whether there is anything left to move; a database is asked when it is opened. */
const isThere = (from: StoredLedger, to: string) =>
  from.place !== to && (from.place.includes('://') || existsSync(from.place));

function questionAbout(from: StoredLedger, place: string): string {
  if (isThere(from, place)) return say().move.ledger({ from: from.place, place });
  return from.place === place ? say().move.replaced({ place }) : say().move.gone({ from: from.place, place });
}

/** Moves every ledger of the settings' accounts into a workspace. Throws a WorkspaceError. */
export async function moveLedgers(workspace: Workspace, ports: Ports): Promise<z.output<typeof movedLedger>[]> {
  const { person, report, clock } = ports;
  const moved: z.output<typeof movedLedger>[] = [];
  const sources = await elsewhere(await identityOf(workspace), ports);
  ports.intend({ move: sources.map(({ place }) => place), to: workspace.place });
  for (const from of sources) {
    const eventsOf = await accountOfEvents(from, workspace, ports);
    await person.confirm({
      what: say().move.moving({ place: from.place }),
      message: questionAbout(from, workspace.place),
    });
    if (isThere(from, workspace.place)) {
      const { moveWorkspace } = await import('../store/move.ts');
      const source = { ...from, ...ledgerOptions(ports), eventsOf };
      const { rows, left } = await moveWorkspace(source, workspace, clock);
      const { ledger_keys: writes = 0, batches = 0, events = 0 } = rows;
      moved.push({ from: from.place, to: workspace.place, writes, batches, events });
      for (const { what, why } of left) report.notice(say().move.ends({ what, place: from.place, why }));
    }
    await follow(from, await identityOf(workspace), ports);
  }
  if (sources.length === 0) report.notice(say().move.nothing({ place: workspace.place }));
  return moved;
}
