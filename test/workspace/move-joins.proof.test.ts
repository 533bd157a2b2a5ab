import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { workspaceKinds } from '../support/workspaces.ts';
import { tellOfChanges } from './move-joins.ts';
import { filled, moved, opened, owner, receive } from './moved-changes.ts';
import { tellOfPayments } from './moved-payments.ts';

const [file, server] = workspaceKinds().filter(({ name }) => name !== 'SQLite in a thread');
if (file === undefined || server === undefined) throw new Error('a file and a server are tested');
afterAll(() => Promise.all([file, server].map((kind) => kind.end())));

describe.skipIf(server.missing).each([
  ['a file', 'a server', file, server],
  ['a server', 'a server', server, server],
  ['a server', 'a file', server, file],
] as const)('%s that is moved into %s in use', (_, __, from, to) => {
  tellOfChanges(from, to);
  tellOfPayments(from, to);
});

it.skipIf(server.missing)('a server with the changes of two accounts is not moved into a file', async () => {
  const other = owner.replace('"7"', '"8"');
  const source = await filled(server, async (workspace) => {
    await receive(workspace, 'h', 'a', 'b');
    await workspace.write((database) =>
      sql`update events set account = ${other} where content = 'b'`.execute(database),
    );
  });
  const refused = { code: 'workspace_unusable', message: expect.stringContaining('changes of 2 accounts') };
  await expect(moved(source, await opened(file))).rejects.toMatchObject(refused);
  const again = await opened(server, source.place);
  expect(await again.read((database) => database.selectFrom('events').select('content').execute())).toHaveLength(2);
});
