import { setMaxListeners } from 'node:events';
import type { Clock } from '../../platform/clock.ts';
import {
  changeTexts,
  type Handoff,
  nextHandoffs,
  type Progress,
  saveProgress,
  waitingHandoffs,
} from '../../workspace/events/handoffs.ts';
import type { EventIds } from '../../workspace/events/ids.ts';
import type { Target } from '../../workspace/events/targets.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type WaitingRoom, waitingRoom } from './waiting-room.ts';

/** What a target did with a change. `answered` tells a refusal from a target that is not there. */
export type HandVerdict =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly answered: boolean; readonly error: string };

/** Hands one change to a target: its id, and the JSON text of the change. Rejects only when the signal is aborted. */
export type Hand = (
  change: { readonly id: string; readonly text: string },
  signal: AbortSignal,
) => Promise<HandVerdict>;

/** What forwarding to one target needs. */
export interface Forwarding {
  readonly workspace: Pick<Workspace, 'read' | 'write'>;
  readonly target: Target;
  readonly ids: EventIds;
  readonly hand: Hand;
  /** How many changes are on their way at a time, each of another record. */
  readonly mostAtOnce: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Whether the target is still this listener's to serve: nothing is sent without it. */
  readonly holds?: () => boolean;
  /** Hears of each failure, and whether the change was given up. */
  readonly onFailure?: (failure: { readonly id: string; readonly error: string; readonly dead: boolean }) => void;
  /** Hears why the workspace could not be written or read; it is tried again. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Forwards to one target until it is closed. */
export interface Forwarder {
  /** Tells that there may be more. */
  wake(): void;
  /** Resolves once everything there is was accepted or has failed at least once. */
  settled(): Promise<void>;
  /** Stops at once, because another listener may have the target: what is on its way is cut, and nothing written down. */
  abandon(): Promise<void>;
  /** Begins nothing more, gives what is on its way a moment, and writes down what is known. */
  close(): Promise<void>;
}

const LEAST_GAP_MS = 1000;
const MOST_GAP_MS = 60 * 60 * 1000;
/** So many records that can be tried are looked for in advance. */
const READY_AHEAD = 512;
const READ_AT_ONCE = 500;
/** So many changes may wait in memory behind failures; beyond that a target takes nothing new until it recovers. */
const MOST_HELD = 50_000;
/** So many acceptances are written down together while there is more to send. */
const SAVE_TOGETHER = 256;
const SAVE_AFTER_MS = 100;
const TROUBLE_PAUSE_MS = 1000;
const CLOSE_GRACE_MS = 2000;

interface Item {
  readonly seq: number;
  readonly record: string;
  attempts: number;
  firstFailedAt: number | null;
  recorded: boolean;
  text: string | undefined;
}

/** The changes of one record, in their order; the first is the one that is tried. */
interface Lane {
  readonly items: Item[];
  /** Whether its first is on its way, or what became of it is not on disk yet. */
  busy: boolean;
  /** Whether its first waits for its next try. */
  blocked: boolean;
}

type Ended =
  | { readonly lane: Lane; readonly item: Item; readonly as: 'accepted' }
  | {
      readonly lane: Lane;
      readonly item: Item;
      readonly as: 'dead' | 'waiting';
      readonly nextAt: number;
      readonly error: string;
    };

/** How long to wait after so many failures: anything up to a bound that doubles (full jitter), so that many do not come back at once. */
export function gapAfter(failures: number, random: () => number): number {
  return Math.ceil(random() * Math.min(MOST_GAP_MS, LEAST_GAP_MS * 2 ** Math.min(failures - 1, 30)));
}

/**
 * Hands changes to one target: those of one record in their order, one at a time, the next only when it is on disk that
 * the one before was accepted; those of different records beside each other. What fails comes again, and what is of
 * its record waits behind it, until it is given up. At least once: what was accepted when the process is killed, and not
 * written down, is handed on again.
 *
 * The workspace holds a cursor, and the changes below it that were not accepted. A target that does not answer at all is
 * away: it is tried now and then with one change, and nothing is given up for it.
 */
export function startForwarder(forwarding: Forwarding): Forwarder {
  const { workspace, target, ids, hand, mostAtOnce, clock, random } = forwarding;
  const { holds = () => true, onFailure = () => {}, onTrouble = () => {} } = forwarding;
  const lanes = new Map<string, Lane>();
  const blocked: WaitingRoom<Lane> = waitingRoom();
  const sending = new AbortController();
  // One for each change that is on its way.
  setMaxListeners(0, sending.signal);
  /** Neither accepted nor recorded; by number, in that order. */
  const open = new Map<number, Item>();
  const ready: Lane[] = [];
  let ended: Ended[] = [];
  let endedSince = 0;
  let inFlight = 0;
  let held = 0;
  let readUpTo = Number(target.cursor);
  let savedCursor = readUpTo;
  let lastHandoff = 0;
  let moreHandoffs = true;
  let exhausted = false;
  let saving: Promise<void> | undefined;
  /** How often it was tried in vain, when it was found so last, and until when nothing is sent. */
  let away = { failures: 0, at: 0, until: 0 };
  let answeredAt = Number.NEGATIVE_INFINITY;
  let closing = false;
  /** Whether another listener has the target, or it was removed. */
  let lost = false;
  let wakeUp: () => void = () => {};
  let waiters: (() => void)[] = [];

  const makeReady = (lane: Lane) => {
    if (!lane.busy && !lane.blocked && lane.items.length > 0) ready.push(lane);
  };

  const admit = (handoffs: readonly Handoff[], texts: ReadonlyMap<number, string>) => {
    for (const { seq, record, attempts, firstFailedAt, nextAt, recorded } of handoffs) {
      const item: Item = { seq, record, attempts, firstFailedAt, recorded, text: texts.get(seq) };
      if (!recorded) open.set(seq, item);
      held += 1;
      const lane = lanes.get(record);
      if (lane !== undefined) {
        lane.items.push(item);
        continue;
      }
      const made: Lane = { items: [item], busy: false, blocked: nextAt !== null && nextAt > clock.now() };
      lanes.set(record, made);
      if (made.blocked) blocked.add(made, nextAt ?? 0);
      else makeReady(made);
    }
  };

  const fill = async () => {
    while (ready.length < READY_AHEAD && held < MOST_HELD && !exhausted && !closing) {
      const wasHandoffs = moreHandoffs;
      const read = await workspace.read(async (database) => {
        const found = wasHandoffs
          ? { handoffs: await waitingHandoffs(database, target, lastHandoff, READ_AT_ONCE), upTo: readUpTo }
          : await nextHandoffs(database, { ...target, cursor: readUpTo }, READ_AT_ONCE);
        // What stands behind a failure waits without its text.
        const soon = found.handoffs.filter(({ record }) => lanes.get(record)?.blocked !== true).map(({ seq }) => seq);
        return { ...found, texts: await changeTexts(database, soon) };
      });
      admit(read.handoffs, read.texts);
      if (wasHandoffs) {
        lastHandoff = read.handoffs.at(-1)?.seq ?? lastHandoff;
        moreHandoffs = read.handoffs.length === READ_AT_ONCE;
      } else {
        readUpTo = Number(read.upTo);
        exhausted = read.handoffs.length < READ_AT_ONCE;
      }
    }
  };

  const textOf = async (item: Item) =>
    item.text ?? (await workspace.read((database) => changeTexts(database, [item.seq]))).get(item.seq);

  const send = async (lane: Lane, item: Item) => {
    const began = clock.now();
    const id = ids.idOf(item.seq);
    try {
      const text = await textOf(item);
      // A change that was forgotten meanwhile is nobody's any more.
      const verdict: HandVerdict = text === undefined ? { accepted: true } : await hand({ id, text }, sending.signal);
      if (verdict.accepted || verdict.answered) {
        answeredAt = clock.now();
        away = { failures: 0, at: 0, until: 0 };
      } else if (answeredAt < began && (away.failures === 0 || began > away.at)) {
        // Those that were on their way together are one failure.
        const [failures, at] = [away.failures + 1, clock.now()];
        away = { failures, at, until: at + gapAfter(failures, random) };
      }
      if (verdict.accepted) end({ lane, item, as: 'accepted' });
      else fail(lane, item, { id, began, error: verdict.error });
    } catch (error) {
      if (!sending.signal.aborted) {
        onTrouble(error);
        fail(lane, item, { id, began, error: 'the change could not be read from the workspace' });
      }
    } finally {
      inFlight -= 1;
      wakeUp();
    }
  };

  const fail = (lane: Lane, item: Item, { id, began, error }: { id: string; began: number; error: string }) => {
    item.attempts += 1;
    item.firstFailedAt ??= began;
    const now = clock.now();
    const isOver = now - item.firstFailedAt >= Number(target.give_up_ms) && answeredAt >= item.firstFailedAt;
    onFailure({ id, error, dead: isOver });
    end({ lane, item, as: isOver ? 'dead' : 'waiting', nextAt: now + gapAfter(item.attempts, random), error });
  };

  const end = (one: Ended) => {
    if (ended.length === 0) endedSince = clock.now();
    ended.push(one);
  };

  const start = () => {
    const now = clock.now();
    for (const lane of blocked.takeDue(now)) {
      lane.blocked = false;
      makeReady(lane);
    }
    const most = away.failures > 0 ? 1 : mostAtOnce;
    while (inFlight < most && ready.length > 0 && away.until <= now && !closing && !lost && holds()) {
      const lane = ready.shift();
      const item = lane?.items[0];
      if (lane === undefined || item === undefined) continue;
      lane.busy = true;
      inFlight += 1;
      void send(lane, item);
    }
  };

  const progressOf = (batch: readonly Ended[]): Progress => {
    const row = (
      { seq, record, attempts, firstFailedAt }: Item,
      state: 'waiting' | 'dead',
      nextAt: number | null,
      error: string | null,
    ) => ({ seq, record, state, attempts, first_failed_at: firstFailedAt, next_at: nextAt, last_error: error });
    const accepted: number[] = [];
    const recorded: ReturnType<typeof row>[] = [];
    let top = savedCursor;
    for (const one of batch) {
      const { item } = one;
      if (!item.recorded) top = Math.max(top, item.seq);
      open.delete(item.seq);
      if (one.as !== 'accepted') recorded.push(row(item, one.as, one.nextAt, one.error));
      else if (item.recorded) accepted.push(item.seq);
    }
    // Whatever the cursor passes and was not accepted is recorded.
    for (const [seq, item] of open) {
      if (seq > top) break;
      recorded.push(row(item, 'waiting', null, null));
      item.recorded = true;
      open.delete(seq);
    }
    const last = batch.at(-1);
    const isAccepted = batch.some(({ as }) => as === 'accepted');
    return {
      target,
      worker: target.worker,
      cursor: open.size === 0 ? readUpTo : top,
      accepted,
      recorded,
      lastAcceptedAt: isAccepted ? new Date(clock.now()).toISOString() : undefined,
      lastError: last === undefined ? undefined : last.as === 'accepted' ? null : last.error,
    };
  };

  const save = async () => {
    const batch = ended;
    ended = [];
    const progress = progressOf(batch);
    while (!lost) {
      try {
        lost = !(await workspace.write((database) => saveProgress(database, progress)));
        break;
      } catch (error) {
        // Nothing of these records goes on before it is on disk.
        onTrouble(error);
        if (closing) return;
        await clock.wait(TROUBLE_PAUSE_MS);
      }
    }
    if (lost) return;
    savedCursor = progress.cursor;
    for (const one of batch) {
      const { lane, item } = one;
      lane.busy = false;
      if (one.as === 'waiting') {
        item.recorded = true;
        lane.blocked = true;
        blocked.add(lane, one.nextAt);
        for (const waiting of lane.items) waiting.text = undefined;
        continue;
      }
      lane.items.shift();
      held -= 1;
      if (lane.items.length === 0) lanes.delete(item.record);
      else makeReady(lane);
    }
  };

  const startSaving = () => {
    saving ??= save().finally(() => {
      saving = undefined;
      wakeUp();
    });
  };

  const isSettled = () => {
    if (inFlight > 0 || saving !== undefined) return false;
    if (lost) return true;
    if (ended.length > 0) return false;
    return away.until > clock.now() || (exhausted && ready.length === 0);
  };

  /** What wakes at the next moment that something is due; one that rings too soon does no harm. */
  let alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  /** Waits until something happened or is due. */
  const rest = async (woken: Promise<void>) => {
    const due = [
      blocked.next(),
      away.until > clock.now() ? away.until : undefined,
      ended.length > 0 && saving === undefined && !lost ? endedSince + SAVE_AFTER_MS : undefined,
    ];
    const next = Math.min(...due.filter((at) => at !== undefined));
    // Thousands of changes a second are no reason for as many timers.
    if (next < (alarm?.at ?? Number.POSITIVE_INFINITY)) {
      alarm?.cancel();
      const waiting = new AbortController();
      const own = { at: next, cancel: () => waiting.abort() };
      alarm = own;
      const ring = () => {
        if (alarm !== own) return;
        alarm = undefined;
        wakeUp();
      };
      clock.wait(Math.max(0, next - clock.now()), waiting.signal).then(ring, () => {});
    }
    return woken;
  };

  const run = async () => {
    while (!closing) {
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      try {
        if (away.until <= clock.now()) await fill();
      } catch (error) {
        onTrouble(error);
        await clock.wait(TROUBLE_PAUSE_MS).catch(() => {});
        continue;
      }
      start();
      // While there is more to send, acceptances are written down together.
      const isIdle = ready.length === 0 || inFlight === 0;
      const isDue = isIdle || ended.length >= SAVE_TOGETHER || clock.now() - endedSince >= SAVE_AFTER_MS;
      if (ended.length > 0 && isDue && !lost) startSaving();
      if (isSettled()) {
        for (const resolve of waiters) resolve();
        waiters = [];
      }
      if (!closing) await rest(woken);
    }
    alarm?.cancel();
  };

  /** Waits for what is on its way. */
  const landed = async () => {
    while (inFlight > 0) {
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
    }
  };

  const running = run();
  return {
    wake() {
      exhausted = false;
      wakeUp();
    },
    settled: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
        wakeUp();
      }),
    async abandon() {
      closing = true;
      lost = true;
      wakeUp();
      sending.abort();
      await running;
      await landed();
      await saving;
      for (const resolve of waiters) resolve();
    },
    async close() {
      closing = true;
      wakeUp();
      await running;
      const grace = setTimeout(() => sending.abort(), CLOSE_GRACE_MS);
      await landed();
      clearTimeout(grace);
      await saving;
      await save();
      for (const resolve of waiters) resolve();
    },
  };
}
