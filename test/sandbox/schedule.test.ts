import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followClock } from '../../src/sandbox/engine/business-clock.ts';
import { createSchedule, type DueWork, type Track } from '../../src/sandbox/engine/schedule.ts';

const start = Date.parse('2026-01-31T08:00:00Z');

/** Work at moments given in seconds after the start; says when it was begun, in the same. */
function workAt(now: () => number, moments: number[]) {
  const begun: number[] = [];
  let asked = 0;
  const work: DueWork = {
    async next() {
      asked += 1;
      return moments[0] === undefined ? undefined : start + moments[0] * 1000;
    },
    async begin() {
      begun.push((now() - start) / 1000);
      moments.shift();
    },
  };
  return { work, begun, asked: () => asked, plan: (moment: number) => moments.push(moment) };
}

async function turnsOf(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await undefined;
}

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const machine = { now: () => Date.now(), wait: async () => {} };

describe('the schedule', () => {
  it('begins things when their moment comes, each as often as it asks', async () => {
    const clock = followClock(machine);
    const schedule = createSchedule(clock);
    const one = workAt(clock.now, [3, 10, 10]);
    const other = workAt(clock.now, [1, 200]);
    schedule.add(one.work);
    schedule.add(other.work);
    schedule.start();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(one.begun).toEqual([3, 10, 10]);
    expect(other.begun).toEqual([1, 200]);
    await schedule.close();
  });

  it('forgets no call that comes while a round ends, whatever the moment', async () => {
    const late: number[] = [];
    for (let turns = 0; turns < 40; turns += 1) {
      vi.setSystemTime(start);
      const clock = followClock(machine);
      const schedule = createSchedule(clock);
      // Its first delivery fails after so many turns of the promises, and is tried again after 30 s.
      const { work, begun } = workAt(clock.now, [0, 30]);
      const failing: DueWork = {
        ...work,
        async begin(track) {
          await work.begin(track);
          if (begun.length === 1) track(turnsOf(turns));
        },
      };
      const moments: number[] = [];
      const healthy = workAt(clock.now, moments);
      schedule.add(failing);
      schedule.add(healthy.work);
      schedule.start();
      await vi.advanceTimersByTimeAsync(1000);
      moments.push(5);
      schedule.wake(start + 5000);
      await vi.advanceTimersByTimeAsync(60_000);
      if (healthy.begun[0] !== 5) late.push(turns);
      await schedule.close();
    }
    expect(late).toEqual([]);
  });

  it('costs nothing while nothing is due: no timer, no question', async () => {
    const clock = followClock(machine);
    const schedule = createSchedule(clock);
    const idle = workAt(clock.now, []);
    schedule.add(idle.work);
    schedule.start();
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(0);
    const asked = idle.asked();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(idle.asked()).toBe(asked);
    await schedule.close();
  });

  it('asks nobody while it waits for a moment that is known, also when it is told of later ones', async () => {
    const clock = followClock(machine);
    const schedule = createSchedule(clock);
    const far = workAt(clock.now, [7200]);
    schedule.add(far.work);
    schedule.start();
    await vi.advanceTimersByTimeAsync(1000);
    const asked = far.asked();
    schedule.wake(start + 7_300_000);
    await vi.advanceTimersByTimeAsync(7_198_000);
    expect(far.asked()).toBe(asked);
    await vi.advanceTimersByTimeAsync(1000);
    expect(far.begun).toEqual([7200]);
    await schedule.close();
  });

  it('picks up new due times when it is woken', async () => {
    const clock = followClock(machine);
    const schedule = createSchedule(clock);
    const { work, begun, plan } = workAt(clock.now, []);
    schedule.add(work);
    schedule.start();
    await vi.advanceTimersByTimeAsync(1000);
    plan(5);
    schedule.wake(start + 5000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begun).toEqual([5]);
    await schedule.close();
  });

  it('stops and continues together with the clock', async () => {
    const clock = followClock(machine, { mode: 'frozen', at_ms: start });
    const schedule = createSchedule(clock);
    const { work, begun } = workAt(clock.now, [5, 3600]);
    schedule.add(work);
    schedule.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([begun, vi.getTimerCount()]).toEqual([[], 0]);
    clock.set({ mode: 'frozen', at_ms: start + 5000 });
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([5]);
    clock.set({ mode: 'moved', ahead_ms: 3_530_000 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begun).toEqual([5, 3600]);
    await schedule.close();
  });

  it('lets long work go on beside the rest, and settles when all of it has ended', async () => {
    const clock = followClock(machine);
    const schedule = createSchedule(clock);
    const quick = workAt(clock.now, [0, 0]);
    let finish = () => {};
    let pending = true;
    const slow: DueWork = {
      next: async () => (pending ? start : undefined),
      async begin(track: Track) {
        pending = false;
        track(
          new Promise((resolve) => {
            finish = resolve;
          }),
        );
      },
    };
    schedule.add(slow);
    schedule.add(quick.work);
    schedule.start();
    let settled = false;
    const settling = schedule.settle().then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect([quick.begun, settled]).toEqual([[0, 0], false]);
    quick.plan(0);
    finish();
    await settling;
    // What ended may have brought something new.
    expect(quick.begun).toHaveLength(3);
    await schedule.close();
  });

  it('reports a failure, retries a second later and does not spin', async () => {
    const failures: unknown[] = [];
    const clock = followClock(machine);
    const schedule = createSchedule(clock, (error) => failures.push(error));
    let broken = true;
    const { work, begun } = workAt(clock.now, [0]);
    schedule.add({
      next: work.next,
      async begin(track) {
        if (broken) throw new Error('the disk is full');
        await work.begin(track);
      },
    });
    schedule.start();
    await vi.advanceTimersByTimeAsync(2500);
    expect(failures).toHaveLength(3);
    await expect(schedule.settle()).rejects.toThrow('the disk is full');
    broken = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(begun).toHaveLength(1);
    await schedule.close();
  });

  it('begins nothing after it is closed', async () => {
    const clock = followClock(machine);
    const schedule = createSchedule(clock);
    const { work, begun } = workAt(clock.now, [5]);
    schedule.add(work);
    schedule.start();
    await vi.advanceTimersByTimeAsync(1000);
    await schedule.close();
    schedule.wake();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([begun, vi.getTimerCount()]).toEqual([[], 0]);
  });
});
