import { describe, expect, it, onTestFinished } from 'vitest';
import { handOutcomes } from '../../src/events/actions/event-account.ts';
import { type Forwarding, startForwarder } from '../../src/events/listen/forward/forward.ts';
import type { Hand, HandVerdict } from '../../src/events/listen/forward/queues.ts';
import { eventIds } from '../../src/events/store/ids.ts';
import { replayTo, retryTarget, takeUpTargets, targetStandings } from '../../src/events/store/targets.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { standingClock } from '../support/standing-clock.ts';
import { testWorkspace } from '../support/workspace.ts';
import { keepAt, noteChange } from './changes.ts';

const HOUR = 3_600_000;
const target = {
  name: 'shop',
  kind: 'url',
  address: 'http://127.0.0.1:1/',
  entity: null,
  change_type: null,
  accept: 'ok',
  give_up_ms: 24 * HOUR,
} as const;
/** The target as it is kept, before anything was handed to it. */
const standing: Forwarding['target'] = {
  ...target,
  account: '',
  state: 'active',
  cursor: 0,
  created_at: '',
  last_accepted_at: null,
  last_error: null,
  worker: null,
};
const order = (number: number) => `10000000000000000${10 + number}`;
const ok: HandVerdict = { accepted: true, answer: 'status 200' };
const refused: HandVerdict = { accepted: false, answered: true, error: 'answered status 500' };
const gone: HandVerdict = { accepted: false, answered: false, error: 'no connection' };

/** A target whose answers a test decides, on a clock that it moves. */
async function context({
  kept = [] as readonly object[],
  named = target as Parameters<typeof takeUpTargets>[2][number],
} = {}) {
  const workspace = await testWorkspace();
  const clock = standingClock();
  const serve = async () => {
    const [taken] = await workspace.write(async (database) => {
      await takeUpTargets(database, '', [named], '2026-01-31T08:00:00Z');
      return targetStandings(database, '');
    });
    if (taken === undefined) throw new Error('no target');
    return taken;
  };
  await serve();
  for (let from = 0; from < kept.length; from += 500) await keepAt(workspace, 'shop', ...kept.slice(from, from + 500));
  const received: string[] = [];
  const ids: string[] = [];
  let answer: (note: string) => HandVerdict | Promise<HandVerdict> = () => ok;
  const hand: Hand = async ({ id, text }, signal) => {
    const note = JSON.parse(text).changed.order.order_note;
    received.push(note);
    ids.push(id);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => {});
    return Promise.race([answer(note), aborted]);
  };
  const open = async (more: Partial<Forwarding> = {}) => {
    const numbering = await workspace.write((database) => eventIds(database, () => 0.5));
    const forwarder = startForwarder({
      workspace,
      target: await serve(),
      ids: numbering,
      hand,
      mostAtOnce: 16,
      clock,
      random: () => 1,
      ...more,
    });
    onTestFinished(() => forwarder.close());
    return forwarder;
  };
  return {
    workspace,
    clock,
    received,
    ids,
    open,
    answers: (next: typeof answer) => {
      answer = next;
    },
    standing: async () => (await workspace.read((database) => targetStandings(database, '')))[0],
  };
}

/** Moves the clock on until something was tried again and came to rest. */
async function advance(
  { clock }: { clock: ReturnType<typeof standingClock> },
  forwarder: { settled(): Promise<void>; wake(): void },
  milliseconds: number,
) {
  clock.advance(milliseconds);
  await new Promise((resolve) => setImmediate(resolve));
  forwarder.wake();
  await forwarder.settled();
}

const notes = (...given: string[]) => given;

describe('a forwarder', () => {
  it('hands on what comes from now on, in its order a record, and remembers how far it is', async () => {
    const test = await context({
      kept: [noteChange(order(1), 'A1'), noteChange(order(1), 'A2'), noteChange(order(2), 'B1')],
    });
    const first = await test.open();
    await first.settled();
    expect(test.received.toSorted()).toEqual(notes('A1', 'A2', 'B1'));
    expect(test.received.indexOf('A1')).toBeLessThan(test.received.indexOf('A2'));
    await first.close();
    await keepAt(test.workspace, 'shop', noteChange(order(2), 'B2'));
    const second = await test.open();
    await second.settled();
    expect(test.received.slice(3)).toEqual(notes('B2'));
    expect(await test.standing()).toMatchObject({ backlog: 0, dead: 0, cursor: 4, last_error: null });
  });

  it('sends nothing of a record before it is on disk that the one before was accepted', async () => {
    const test = await context({ kept: [noteChange(order(1), 'A1'), noteChange(order(1), 'A2')] });
    let write: (() => void) | undefined;
    const held: Pick<Workspace, 'read' | 'write'> = {
      read: test.workspace.read,
      write: (work) =>
        new Promise((resolve, reject) => {
          write = () => void test.workspace.write(work).then(resolve, reject);
        }),
    };
    const slow = await context();
    expect(slow.received).toEqual([]);
    const forwarder = startForwarder({
      workspace: held,
      target: standing,
      ids: { idOf: String, seqOf: Number },
      hand: async ({ text }) => {
        test.received.push(JSON.parse(text).changed.order.order_note);
        return ok;
      },
      mostAtOnce: 16,
      clock: test.clock,
      random: () => 1,
    });
    while (write === undefined) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(test.received).toEqual(notes('A1'));
    write();
    write = undefined;
    while (write === undefined) await new Promise((resolve) => setImmediate(resolve));
    (write as () => void)();
    expect(test.received).toEqual(notes('A1', 'A2'));
    const closed = forwarder.close();
    const release = setInterval(() => write?.(), 1);
    await closed;
    clearInterval(release);
  });

  it('tries again after a failure, with the same id, and lets only what is of that record wait', async () => {
    const test = await context({
      kept: [
        noteChange(order(1), 'A1'),
        noteChange(order(1), 'A2'),
        noteChange(order(2), 'B1'),
        noteChange(order(2), 'B2'),
      ],
    });
    test.answers((note) => (note === 'A1' ? refused : ok));
    const forwarder = await test.open();
    await forwarder.settled();
    expect(test.received.toSorted()).toEqual(notes('A1', 'B1', 'B2'));
    expect(await test.standing()).toMatchObject({ backlog: 2 });
    await advance(test, forwarder, 999);
    expect(test.received).toHaveLength(3);
    await advance(test, forwarder, 1);
    expect(test.received.slice(3)).toEqual(notes('A1'));
    test.answers(() => ok);
    await advance(test, forwarder, 2000);
    expect(test.received.slice(4)).toEqual(notes('A1', 'A2'));
    expect(new Set(test.ids.filter((_, index) => test.received[index] === 'A1')).size).toBe(1);
    expect(await test.standing()).toMatchObject({ backlog: 0, last_error: null });
  });

  it('gives up on a change after its time and not before, and continues with the next one of that record', async () => {
    const test = await context({ kept: [noteChange(order(1), 'A1'), noteChange(order(1), 'A2')] });
    test.answers((note) => (note === 'A1' ? refused : ok));
    const forwarder = await test.open();
    await forwarder.settled();
    for (let hour = 0; hour < 23; hour += 1) await advance(test, forwarder, HOUR);
    expect(test.received.filter((note) => note === 'A2')).toEqual([]);
    expect(await test.standing()).toMatchObject({ backlog: 2, dead: 0 });
    await advance(test, forwarder, HOUR);
    expect(test.received.at(-1)).toBe('A2');
    expect(await test.standing()).toMatchObject({ backlog: 0, dead: 1 });
    test.answers(() => ok);
    expect(await test.workspace.write((database) => retryTarget(database, { account: '', name: 'shop' }))).toBe(1);
    await forwarder.close();
    const again = await test.open();
    await again.settled();
    expect(test.received.at(-1)).toBe('A1');
    expect(await test.standing()).toMatchObject({ backlog: 0, dead: 0 });
  });

  it('gives up on nothing while the target is down, tries it with one change now and then, and has lost nothing after a weekend', async () => {
    const kept = Array.from({ length: 40 }, (_, index) =>
      noteChange(order(index % 20), `${index % 20}-${index < 20 ? 1 : 2}`),
    );
    const test = await context({ kept });
    test.answers(() => gone);
    const forwarder = await test.open();
    await forwarder.settled();
    const first = test.received.length;
    expect(first).toBeLessThanOrEqual(16);
    for (let hour = 0; hour < 60; hour += 1) await advance(test, forwarder, HOUR);
    expect(test.received.length - first).toBeLessThan(80);
    expect(await test.standing()).toMatchObject({ backlog: 40, dead: 0 });
    test.answers(() => ok);
    const before = test.received.length;
    await advance(test, forwarder, HOUR);
    await advance(test, forwarder, HOUR);
    const after = test.received.slice(before);
    expect([...new Set(after)]).toHaveLength(40);
    for (let number = 0; number < 20; number += 1) {
      expect(after.indexOf(`${number}-1`)).toBeLessThan(after.indexOf(`${number}-2`));
    }
    expect(await test.standing()).toMatchObject({ backlog: 0, dead: 0 });
  });

  it('gives up on a change that the target hangs on while it accepts others', async () => {
    const test = await context({
      kept: [noteChange(order(1), 'A1'), noteChange(order(2), 'B1')],
      named: { ...target, give_up_ms: 2 * HOUR },
    });
    test.answers((note) => (note === 'A1' ? gone : ok));
    const forwarder = await test.open();
    await forwarder.settled();
    for (let hour = 0; hour < 3; hour += 1) {
      await keepAt(test.workspace, 'shop', noteChange(order(2), `B${hour + 2}`));
      await advance(test, forwarder, HOUR);
      await advance(test, forwarder, HOUR);
    }
    expect(await test.standing()).toMatchObject({ backlog: 0, dead: 1 });
  });

  it('continues after a restart with the waiting changes, each at its time, and with later ones', async () => {
    const test = await context({
      kept: [noteChange(order(1), 'A1'), noteChange(order(1), 'A2'), noteChange(order(2), 'B1')],
    });
    test.answers((note) => (note === 'A1' ? refused : ok));
    const first = await test.open();
    await first.settled();
    await first.close();
    await keepAt(test.workspace, 'shop', noteChange(order(1), 'A3'), noteChange(order(2), 'B2'));
    test.answers(() => ok);
    const second = await test.open();
    await second.settled();
    expect(test.received.slice(2)).toEqual(notes('B2'));
    await advance(test, second, 1000);
    expect(test.received.slice(3)).toEqual(notes('A1', 'A2', 'A3'));
  });

  it('tries again after the time that has passed, wherever the clock was set meanwhile', async () => {
    for (const answer of [refused, gone]) {
      for (const jump of [-5 * HOUR, 25 * HOUR]) {
        const test = await context({ kept: [noteChange(order(1), 'A1')] });
        test.answers(() => answer);
        test.clock.jump(jump);
        const forwarder = await test.open();
        await forwarder.settled();
        test.clock.jump(jump);
        test.answers(() => ok);
        await advance(test, forwarder, 500);
        expect(test.received).toHaveLength(1);
        await advance(test, forwarder, 500);
        expect(test.received).toHaveLength(2);
        expect(await test.standing()).toMatchObject({ backlog: 0 });
      }
    }
  });

  it('gives up on nothing before its time because the clock was set ahead, and not later because it was set back', async () => {
    for (const jump of [25 * HOUR, -25 * HOUR]) {
      const test = await context({ kept: [noteChange(order(1), 'A1')] });
      test.answers(() => refused);
      const forwarder = await test.open();
      await forwarder.settled();
      test.clock.jump(jump);
      for (let hour = 0; hour < 23; hour += 1) await advance(test, forwarder, HOUR);
      expect(await test.standing()).toMatchObject({ backlog: 1, dead: 0 });
      await advance(test, forwarder, HOUR);
      expect(await test.standing()).toMatchObject({ backlog: 0, dead: 1 });
    }
  });

  it('lets nothing wait longer after a restart than a failure lets it wait, if the clock was set back meanwhile', async () => {
    const test = await context({ kept: [noteChange(order(1), 'A1')], named: { ...target, give_up_ms: 2 * HOUR } });
    test.answers(() => refused);
    const first = await test.open();
    await first.settled();
    await first.close();
    test.clock.jump(-5 * HOUR);
    const second = await test.open();
    await second.settled();
    expect(test.received).toHaveLength(1);
    await advance(test, second, 1000);
    expect(test.received).toHaveLength(2);
    for (let hour = 0; hour < 2; hour += 1) await advance(test, second, HOUR);
    expect(await test.standing()).toMatchObject({ backlog: 0, dead: 1 });
  });

  it('hands a record on in order however the answers overtake each other', async () => {
    const kept = Array.from({ length: 60 }, (_, index) =>
      noteChange(order(index % 3), `${index % 3}-${String(index).padStart(2, '0')}`),
    );
    const test = await context({ kept });
    let turn = 0;
    test.answers(async () => {
      turn += 1;
      for (let wait = (turn * 7) % 5; wait > 0; wait -= 1) await new Promise((resolve) => setImmediate(resolve));
      return ok;
    });
    const forwarder = await test.open();
    await forwarder.settled();
    for (const record of ['0', '1', '2']) {
      const own = test.received.filter((note) => note.startsWith(`${record}-`));
      expect(own).toHaveLength(20);
      expect(own).toEqual(own.toSorted());
    }
  });

  it('hands only on what concerns the target', async () => {
    const test = await context({
      kept: [noteChange(order(1), 'A1'), noteChange(order(1), 'A2', '2026-01-31T08:00:00Z', 'customer')],
      named: { ...target, entity: 'order', change_type: 'update' },
    });
    const forwarder = await test.open();
    await forwarder.settled();
    expect(test.received).toEqual(notes('A1'));
    expect(await test.standing()).toMatchObject({ backlog: 0 });
  });

  it('replays what was accepted, in its order', async () => {
    const test = await context({
      kept: [noteChange(order(1), 'A1'), noteChange(order(1), 'A2'), noteChange(order(2), 'B1')],
    });
    const first = await test.open();
    await first.settled();
    await first.close();
    const standing = await test.standing();
    if (standing === undefined) throw new Error('no target');
    expect(await test.workspace.write((database) => replayTo(database, standing, [2, 1]))).toBe(2);
    const second = await test.open();
    await second.settled();
    expect(test.received.slice(3)).toEqual(notes('A1', 'A2'));
  });

  it('replays each change once, also where there are more than one statement takes', async () => {
    const seqs = Array.from({ length: 501 }, (_, index) => index + 1);
    const test = await context({ kept: seqs.map((number) => noteChange(order(number), 'A')) });
    expect(await test.workspace.write((database) => replayTo(database, { ...standing, cursor: 501 }, seqs))).toBe(501);
  });

  it('sends nothing while the target is not its own to serve', async () => {
    const test = await context({ kept: [noteChange(order(1), 'A1')] });
    let isHeld = false;
    let lookups = 0;
    const holds = () => {
      lookups += 1;
      return isHeld;
    };
    const forwarder = await test.open({ holds });
    while (lookups === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn += 1) {
      forwarder.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(test.received).toEqual([]);
    isHeld = true;
    forwarder.wake();
    await forwarder.settled();
    expect(test.received).toEqual(notes('A1'));
  });

  it('writes many acceptances down with one commit while there is more to send', async () => {
    const kept = Array.from({ length: 2500 }, (_, index) => noteChange(order(index + 1), 'A'));
    const test = await context({ kept });
    let writes = 0;
    const { read, write } = test.workspace;
    const counted: Pick<Workspace, 'read' | 'write'> = {
      read,
      write(work) {
        writes += 1;
        return write(work);
      },
    };
    const forwarder = await test.open({ workspace: counted });
    await forwarder.settled();
    expect(test.received).toHaveLength(2500);
    expect(writes).toBeLessThanOrEqual(5);
    expect(await test.standing()).toMatchObject({ backlog: 0, cursor: 2500 });
  });

  it('waits, and sends nothing of those records, while the workspace cannot be written', async () => {
    const test = await context({ kept: [noteChange(order(1), 'A1'), noteChange(order(1), 'A2')] });
    let isFull = true;
    const troubles: unknown[] = [];
    const { read, write } = test.workspace;
    const full: Pick<Workspace, 'read' | 'write'> = {
      read,
      write: (work) => (isFull ? Promise.reject(new Error('no space left')) : write(work)),
    };
    test.workspace.write = write;
    const more = await context();
    const forwarder = startForwarder({
      workspace: full,
      target: standing,
      ids: { idOf: String, seqOf: Number },
      hand: async ({ text }) => {
        more.received.push(JSON.parse(text).changed.order.order_note);
        return ok;
      },
      mostAtOnce: 16,
      clock: test.clock,
      random: () => 1,
      onTrouble: (error) => troubles.push(error),
    });
    while (troubles.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(more.received).toEqual(notes('A1'));
    isFull = false;
    test.clock.advance(1000);
    await forwarder.settled();
    expect(more.received).toEqual(notes('A1', 'A2'));
    await forwarder.close();
  });
});

it('of what is accepted within a second twenty are told, and how many more; of what is not, each', () => {
  const clock = standingClock();
  const told: string[] = [];
  const outcomes = handOutcomes({ say: (text) => told.push(text) }, clock);
  const end = (accepted: boolean) =>
    outcomes.onOutcome({ name: 'crm' }, { id: '1', tookMs: 2, answer: accepted ? 'status 200' : 'no', accepted });
  const tellOf = (...ends: readonly boolean[]) => {
    for (const accepted of ends) end(accepted);
    return told.splice(0);
  };
  const accepted = Array<boolean>(23).fill(true);
  expect(tellOf(...accepted, false)).toHaveLength(21);
  clock.advance(1000);
  expect(tellOf(true)).toEqual([expect.stringContaining('3'), expect.stringContaining('status 200')]);
  clock.advance(1000);
  expect(tellOf(true)).toHaveLength(1);
  outcomes.end();
  expect(told).toEqual([]);
});
