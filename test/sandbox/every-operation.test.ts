import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { allOperations, areas, type KnownOperationId } from '../../src/contract/areas.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { errorStatus } from '../../src/contract/records/error.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { readTable } from '../contract/read-table.ts';
import { callersOf, openCallers, type Send } from '../support/callers.ts';
import { GET_CHANGES, rows } from './every-operation/every-row.ts';
import type { Row } from './every-operation/row.ts';

const entries = Object.entries(rows) as [KnownOperationId, Row][];

let operations: ReadonlyMap<string, Operation>;

beforeAll(async () => {
  operations = new Map((await allOperations()).map((operation) => [operation.id, operation]));
});

function declared(id: KnownOperationId): Operation {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`${id} is not declared`);
  return operation;
}

it('each operation of the contract has its row', () => {
  const listed = readTable('operations.tsv').map(({ path = '' }) => path.replace('/v1/', ''));
  expect([...Object.keys(rows), GET_CHANGES].sort()).toEqual(listed.sort());
});

describe('an operation succeeds, with its changes', () => {
  it.each(entries)('%s', async (id, row) => {
    const { first, changes } = await openCallers();
    const request = await row.request(first);
    const before = (await changes()).length;
    const { status, body } = await first.call(id, request);
    expect(body).toMatchObject(row.answers);
    expect(status).toBe(200);
    expect((await changes()).slice(before).map(({ name }) => name)).toEqual(row.changes ?? []);
    // Every field is there, null or empty where it is not set, and none that the contract does not have; auth_url alone
    // comes only where a page was asked for, as no deployment need have one.
    const fields = Object.keys(declared(id).response.shape);
    expect(Object.keys(body)).toEqual(fields.filter((name) => name !== 'auth_url'));
    expect(declared(id).response.strict().safeParse(body).error).toBeUndefined();
  });

  it.each(Object.keys(areas).filter((area) => !GET_CHANGES.startsWith(area)))('over HTTP, in %s', async (area) => {
    const { sandbox } = await openCallers();
    const server = await startServer(sandbox, { port: 0 });
    onTestFinished(() => server.close());
    const send: Send = async (operation, body, key) => {
      const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
      const answer = await fetch(`${server.baseUrl}/v1/${operation}`, { method: 'POST', headers, body });
      return { status: answer.status, body: await answer.json() };
    };
    const { first } = await callersOf(sandbox, send);
    const [id, row] = entries.find(([operation]) => operation.startsWith(`${area}/`)) ?? [];
    if (id === undefined || row === undefined) throw new Error(`${area} has no row`);
    const { status, body } = await first.call(id, await row.request(first));
    expect(body).toMatchObject(row.answers);
    expect(status).toBe(200);
  });
});

it('GetChanges is refused with 501, as an illustration', async () => {
  const { first } = await openCallers();
  const { status, body } = await first.call(GET_CHANGES, {});
  expect([status, body.code]).toEqual([501, 'unimplemented']);
});

describe('an operation refuses', () => {
  // What is refused before its request is looked at needs no service of its own.
  const all = [...entries.map(([id]) => id), GET_CHANGES] as const;

  it('another credential, or none, whichever it is', async () => {
    const { send, first, second } = await openCallers();
    const asked = await first.made('partner.Shop/AuthorizeShop', {});
    for (const id of all) {
      const { credential } = declared(id);
      const others = Object.entries(first.keys).flatMap(([kind, key]) => (kind === credential ? [] : [key]));
      const stranger = second.keys[credential].split(':')[1];
      const forged = `${first.keys[credential].split(':')[0]}:${stranger}`;
      expect(others).toHaveLength(2);
      for (const key of [undefined, 'wrong', forged, asked.auth_token, ...others]) {
        const { status, body } = await send(id, '{}', key);
        expect([id, key, status, body.code]).toEqual([id, key, 401, 'unauthenticated']);
      }
    }
  });

  it('a body that is not an object, whichever it is', async () => {
    const { send, first } = await openCallers();
    for (const id of all) {
      const key = first.keys[declared(id).credential];
      for (const body of ['', '{', '[]', 'null', '"x"', '{"a":1,}']) {
        const answer = await send(id, body, key);
        expect([id, body, answer.status, answer.body.code]).toEqual([id, body, 400, 'invalid_argument']);
      }
    }
  });

  const needing = entries.filter(([, { needs }]) => needs.length > 0);
  it.each(needing)('%s without a field that it needs', async (id, row) => {
    const { first } = await openCallers();
    const request = await row.request(first);
    for (const field of row.needs) {
      const { status, body } = await first.call(id, without(request, field));
      expect([status, body.code, body.meta?.field]).toEqual([400, 'invalid_argument', field]);
    }
  });

  it('every field that its schema demands is among those', () => {
    for (const [id, row] of entries) {
      const demanded = Object.entries(declared(id).request.shape).flatMap(([name, schema]) =>
        schema.safeParse(undefined).success ? [] : [name],
      );
      expect(row.needs, id).toEqual(expect.arrayContaining(demanded));
    }
  });

  const naming = entries.filter(([, { namesRecord }]) => namesRecord);
  it.each(naming)("%s of another shop's record, as if there were none", async (id, row) => {
    const { first, second } = await openCallers();
    const request = await row.request(second);
    const { status, body } = await first.call(id, request);
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect((await second.call(id, request)).status).toBe(200);
  });

  const refused = entries.flatMap(([id, row]) => row.refuses.map((each) => [id, each.because, each] as const));
  it.each(refused)('%s for %s', async (id, _, { request, code, meta = {} }) => {
    const { first } = await openCallers();
    const { status, body } = await first.call(id, await request(first));
    expect([status, body.code, body.msg]).toEqual([errorStatus[code], code, expect.stringMatching(/./)]);
    expect(body.meta ?? {}).toMatchObject(meta);
  });
});

/** A copy of a request without the field of that path, `lines[0].quantity` for example. */
function without(request: object, path: string): object {
  const copy = JSON.parse(JSON.stringify(request)) as object;
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const last = steps.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  if (!(last in at)) throw new Error(`the request has no ${path}`);
  delete at[last];
  return copy;
}
