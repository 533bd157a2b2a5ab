import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { receiveCallbacks } from '../../src/events/listen/receiver.ts';
import { createRecorder } from '../../src/events/listen/recorder.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { listenForPosts, PortError } from '../../src/platform/server/http-server.ts';
import { newWorkspaces, testWorkspace } from '../support/workspace.ts';
import { callbackOf, keptNotes, noteChange } from './changes.ts';

const secret = 'AAAAAAAAAAAAAAAAAAAAAA';
const order = '1000000000000000011';

async function receiver({
  mostArrivalMs = 30_000,
  fails = () => false,
}: {
  mostArrivalMs?: number;
  fails?: () => boolean;
} = {}) {
  const workspace = await testWorkspace();
  const failures: unknown[] = [];
  const write: typeof workspace.write = (work) =>
    fails() ? Promise.reject(new Error('database or disk is full')) : workspace.write(work);
  const recorder = createRecorder({ ...workspace, write }, '');
  const server = await receiveCallbacks({
    host: '127.0.0.1',
    port: 0,
    secret,
    name: 'shop',
    clock: systemClock,
    recorder,
    listen: (options) => listenForPosts({ ...options, mostArrivalMs }),
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(() => server.close());
  const post = async (path: string, body: string, method = 'POST') => {
    const answer = await fetch(`${server.origin}${path}`, { method, ...(method === 'POST' ? { body } : {}) });
    return [answer.status, await answer.text()];
  };
  return { workspace, server, post, failures };
}

it('acknowledges with exactly ok what is on disk, at the path with the secret and below it', async () => {
  const { post, workspace } = await receiver();
  expect(await post(`/${secret}`, callbackOf(noteChange(order, 'A')))).toEqual([200, 'ok']);
  expect(await post(`/${secret}/shop-1`, callbackOf(noteChange(order, 'B')))).toEqual([200, 'ok']);
  expect(await post(`/${secret}?of=two`, callbackOf(noteChange(order, 'C')))).toEqual([200, 'ok']);
  // A proxy that keeps its own prefix; the name of the webhook is what follows the secret.
  expect(await post(`/hooks/${secret}/shop-1`, callbackOf(noteChange(order, 'D')))).toEqual([200, 'ok']);
  expect(await keptNotes(workspace)).toEqual(['A', 'B', 'C', 'D']);
  const hooks = await workspace.read((database) => database.selectFrom('event_hooks').select('hook').execute());
  expect(hooks.map(({ hook }) => hook).sort()).toEqual(['shop', 'shop/shop-1', 'shop?of=two']);
});

it('answers 404 to every request without the secret, and stores nothing', async () => {
  const { post, workspace } = await receiver();
  const body = callbackOf(noteChange(order, 'A'));
  for (const path of [
    '/',
    '/hook',
    `/${secret}x`,
    `/${secret.slice(1)}`,
    `/x/${secret}y`,
    `/hook?${secret}`,
    `/hook?/${secret}`,
    `/${'x/'.repeat(20)}${secret}`,
  ]) {
    expect(await post(path, body)).toEqual([404, '']);
    expect(await post(path, '', 'GET')).toEqual([404, '']);
  }
  expect(await post(`/${secret}`, '', 'GET')).toEqual([405, '']);
  expect(await keptNotes(workspace)).toEqual([]);
});

it('never acknowledges what is not a callback or cannot be kept', async () => {
  let isFull = true;
  const { post, workspace, failures } = await receiver({ fails: () => isFull });
  expect(await post(`/${secret}`, 'ok')).toEqual([400, 'not a callback']);
  const body = callbackOf(noteChange(order, 'A'));
  expect(await post(`/${secret}`, body)).toEqual([503, 'not kept']);
  expect(String(failures[0])).toContain('full');
  isFull = false;
  expect(await post(`/${secret}`, body)).toEqual([200, 'ok']);
  expect(await keptNotes(workspace)).toEqual(['A']);
});

it('takes 8 MiB and no more', async () => {
  const { post } = await receiver();
  const large = (bytes: number) => callbackOf(noteChange(order, 'x'.repeat(bytes)));
  expect(await post(`/${secret}`, large(3 * 1024 * 1024))).toEqual([200, 'ok']);
  expect((await post(`/${secret}`, large(5 * 1024 * 1024)).catch(() => [413]))[0]).toBe(413);
});

it('cuts a sender that takes too long', async () => {
  const { server, workspace } = await receiver({ mostArrivalMs: 100 });
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(`POST /${secret} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"id"`);
  await once(socket, 'close');
  expect(answer).toMatch(/^(?:HTTP\/1\.1 408|$)/);
  expect(await keptNotes(workspace)).toEqual([]);
});

it('says so where another program listens', async () => {
  const { server } = await receiver();
  const port = Number(new URL(server.origin).port);
  const options = { host: '127.0.0.1', port, mostBodyBytes: 1, mostArrivalMs: 1000, isThere: () => true };
  await expect(listenForPosts({ ...options, answer: async () => ({ status: 200, body: '' }) })).rejects.toThrow(
    PortError,
  );
});

it('answers 503 while the workspace is full, and stores a repeated callback once when there is room', async () => {
  const { post, workspace, failures } = await receiver();
  const callback = callbackOf(...Array.from({ length: 200 }, (_, index) => noteChange(order, String(index))));
  const run = (text: string) => workspace.read((database) => sql.raw(text).execute(database));
  const [full, room] = newWorkspaces.areFiles
    ? // The connection's own limit: what it answers beyond it is what it answers on a full disk.
      [['pragma max_page_count = 1'], ['pragma max_page_count = 1000000']]
    : [
        [
          `create function full_disk() returns trigger language plpgsql as
             $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`,
          'create trigger full_disk before insert on events execute function full_disk()',
        ],
        ['drop trigger full_disk on events'],
      ];
  for (const statement of full) await run(statement);
  expect(await post(`/${secret}`, callback)).toEqual([503, 'not kept']);
  expect(await post(`/${secret}`, callback)).toEqual([503, 'not kept']);
  expect(failures).toMatchObject([{ code: 'workspace_full' }, { code: 'workspace_full' }]);
  expect(await keptNotes(workspace)).toEqual([]);
  for (const statement of room) await run(statement);
  expect(await post(`/${secret}`, callback)).toEqual([200, 'ok']);
  expect(await post(`/${secret}`, callback)).toEqual([200, 'ok']);
  expect(await keptNotes(workspace)).toHaveLength(200);
});
