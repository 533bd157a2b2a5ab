import { describe, expect, it } from 'vitest';
import { readCallback } from '../../src/events/listen/receiver.ts';
import { createRecorder } from '../../src/events/listen/recorder.ts';
import { fc } from '../support/fast-check.ts';
import { testWorkspace } from '../support/workspace.ts';
import { callbackOf, keepAt, keptNotes, lifeChange, noteChange, notesOf } from './changes.ts';

const [one, other] = ['1000000000000000011', '1000000000000000013'];
const read = (body: string | Buffer) => readCallback('shop', Buffer.from(body), '2026-01-31T08:00:00.000Z');

describe('a callback is read', () => {
  it('with its records, whatever fields and entities a later version adds', () => {
    const stranger = { ...noteChange(one, 'A', '2026-01-31T08:00:01Z', 'loyalty_card'), weight: 1 };
    const callback = read(callbackOf(noteChange(one, 'A'), stranger));
    expect(callback?.changes).toMatchObject([
      { entity: 'order', changeType: 'update', recordId: one, shopId: '1000000000000000001' },
      { entity: 'loyalty_card', recordId: one, time: '2026-01-31T08:00:01Z' },
    ]);
    expect(callback?.changes[1]?.text).toContain('"weight":1');
  });

  it('with every digit of an id that comes as a number, and with the ids of what has none of its own', () => {
    const change = (entity: string, record: string) =>
      `{"change_type":"create","entity":"${entity}","time":"2026-01-31T08:00:00Z","changed":{"${entity}":${record}}}`;
    const body = `{"id":1,"changes":[${[
      change('order', '{"id":1234567890123456789}'),
      change('inventory_level', '{"variant_id":"7"}'),
      change('customer_group_relationship', '{"customer_id":"3","group_id":"4"}'),
    ].join(',')}]}`;
    expect(read(body)?.changes.map(({ recordId }) => recordId)).toEqual(['1234567890123456789', '7', '3-4']);
  });

  it.each([
    'ok',
    '[]',
    '{}',
    '{"changes":{}}',
    '{"changes":[1]}',
    '{"changes":[{"entity":"order"}]}',
    Buffer.from([0x7b, 0xff, 0x7d]),
  ])('never where it is none: %s', (body) => {
    expect(read(body)).toBeUndefined();
  });
});

describe('what a webhook brings again', () => {
  it('is kept once: the same changes under a new id', async () => {
    const workspace = await testWorkspace();
    const changes = [noteChange(one, 'A'), noteChange(other, 'B')];
    expect(await keepAt(workspace, 'shop', ...changes)).toHaveLength(2);
    expect(await keepAt(workspace, 'shop', ...changes)).toEqual([]);
    expect(await keepAt(workspace, 'shop', ...changes)).toEqual([]);
    expect(notesOf(await keepAt(workspace, 'shop', noteChange(one, 'C')))).toEqual(['C']);
    expect(await keptNotes(workspace)).toEqual(['A', 'B', 'C']);
  });

  it('is told from an update to B and back to A within one second, in one callback or in three', async () => {
    const [a, b] = [noteChange(one, 'A'), noteChange(one, 'B')];
    const together = await testWorkspace();
    await keepAt(together, 'shop', a, b, a);
    expect(await keptNotes(together)).toEqual(['A', 'B', 'A']);
    const apart = await testWorkspace();
    for (const change of [a, b, a, b]) await keepAt(apart, 'shop', change);
    expect(await keptNotes(apart)).toEqual(['A', 'B', 'A', 'B']);
    const overlapping = await testWorkspace();
    await keepAt(overlapping, 'shop', a, b);
    await keepAt(overlapping, 'shop', a);
    await keepAt(overlapping, 'shop', a);
    await keepAt(overlapping, 'shop', b, a);
    expect(await keptNotes(overlapping)).toEqual(['A', 'B', 'A', 'B', 'A']);
  });

  it('has one create and one delete a record, however it is cut', async () => {
    const workspace = await testWorkspace();
    await keepAt(workspace, 'shop', lifeChange('create', one));
    expect(await keepAt(workspace, 'shop', lifeChange('create', one), lifeChange('delete', one))).toHaveLength(1);
    expect(await keepAt(workspace, 'shop', lifeChange('delete', one))).toEqual([]);
  });

  it('may be a relationship that was made, removed and made again', async () => {
    const workspace = await testWorkspace();
    const relation = (change_type: string) => {
      const record = { customer_id: '3', group_id: '4' };
      const entity = 'customer_group_relationship';
      return { change_type, entity, time: '2026-01-31T08:00:00Z', changed: { [entity]: record } };
    };
    await keepAt(workspace, 'shop', relation('create'), relation('delete'));
    expect(await keepAt(workspace, 'shop', relation('create'))).toHaveLength(1);
  });
});

describe('what comes by two webhooks', () => {
  it('is kept once, by content and occurrence, whichever is first and however each cuts it', async () => {
    const [a, b] = [noteChange(one, 'A'), noteChange(one, 'B')];
    const workspace = await testWorkspace();
    await keepAt(workspace, 'shop', a, b, a);
    expect(await keepAt(workspace, 'partner', a)).toEqual([]);
    expect(await keepAt(workspace, 'partner', b, a)).toEqual([]);
    expect(notesOf(await keepAt(workspace, 'partner', b))).toEqual(['B']);
    expect(await keepAt(workspace, 'shop', b)).toEqual([]);
    expect(await keptNotes(workspace)).toEqual(['A', 'B', 'A', 'B']);
  });

  it('holds for any history, any cut and any number of repeats', async () => {
    const step = fc.record({
      hook: fc.constantFrom(0, 1),
      take: fc.integer({ min: 1, max: 4 }),
      repeats: fc.integer({ min: 0, max: 2 }),
    });
    const workspace = await testWorkspace();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('A', 'B'), { minLength: 1, maxLength: 12 }),
        fc.array(step, { maxLength: 30 }),
        async (notes, steps) => {
          // An update that changes nothing tells nothing apart: the service's history has none.
          const history = notes.filter((note, index) => note !== notes[index - 1]).map((note) => noteChange(one, note));
          // Whatever is kept already is another account's.
          runs += 1;
          const account = `run ${runs}`;
          const passed = [0, 0];
          const deliver = async (hook: number, take: number, repeats: number) => {
            const from = passed[hook] ?? 0;
            const changes = history.slice(from, from + take);
            // Two callbacks alike one after the other would be a repeat to anybody.
            const before = JSON.stringify(history.slice(Math.max(0, from - changes.length), from));
            if (changes.length === 0 || before === JSON.stringify(changes)) return false;
            for (let time = 0; time <= repeats; time += 1)
              await keepAt(workspace, { account, hook: `hook-${hook}` }, ...changes);
            passed[hook] = from + changes.length;
            return true;
          };
          for (const { hook, take, repeats } of steps) await deliver(hook, take, repeats);
          const most = Math.max(...passed);
          expect(await keptNotes(workspace, account)).toEqual(
            history.slice(0, most).map((change) => Object(change).changed.order.order_note),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a recorder', () => {
  it('writes together what comes together, and answers each when it is on disk', async () => {
    const workspace = await testWorkspace();
    let writes = 0;
    const counted: typeof workspace.write = (work) => {
      writes += 1;
      return workspace.write(work);
    };
    const recorder = createRecorder({ ...workspace, write: counted }, '');
    const callbacks = Array.from({ length: 40 }, (_, index) =>
      readCallback(
        `hook-${index % 4}`,
        Buffer.from(callbackOf(noteChange(one, String(index)))),
        '2026-01-31T08:00:00.000Z',
      ),
    );
    const kept = await Promise.all(callbacks.map((callback) => callback && recorder.keep(callback)));
    expect(kept.flatMap((some) => notesOf(some ?? []))).toEqual(
      Array.from({ length: 40 }, (_, index) => String(index)),
    );
    expect(await keptNotes(workspace)).toHaveLength(40);
    expect(writes).toBe(1);
  });

  it('keeps what it can where one of them cannot be kept, and says so of that one', async () => {
    const workspace = await testWorkspace();
    const recorder = createRecorder(workspace, '');
    const good = readCallback('shop', Buffer.from(callbackOf(noteChange(one, 'A'))), '2026-01-31T08:00:00.000Z');
    if (good === undefined) throw new Error('no callback');
    const bad = {
      ...good,
      hook: 'other',
      changes: good.changes.map((change) => ({ ...change, text: null as unknown as string, content: 'x' })),
    };
    const [first, second] = await Promise.allSettled([recorder.keep(good), recorder.keep(bad)]);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
    expect(await keptNotes(workspace)).toEqual(['A']);
  });
});
