import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import * as operations from '../../../src/contract/control/operations.ts';
import { controlDocument } from '../../../src/contract/openapi-control.ts';
import { CONTROL_PATH } from '../../../src/sandbox/lab/control-plane.ts';
import { startServer } from '../../../src/sandbox/server.ts';
import { openTestSandbox } from '../../support/sandbox.ts';

it('is an OpenAPI document that has every operation of the control plane', async () => {
  const document = JSON.parse(JSON.stringify(controlDocument()));
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  const paths = Object.values(operations).map(({ path }) => `/${path}`);
  expect(Object.keys(document.paths)).toEqual([...new Set(paths)]);
  for (const { path, method, summary, description } of Object.values(operations)) {
    const said = document.paths[`/${path}`][method.toLowerCase()];
    if (said !== undefined) expect([path, said.summary, said.description]).toEqual([path, summary, description]);
  }
  expect(document.paths['/clock/advance'].post.requestBody.content['application/json'].schema).toMatchObject({
    required: ['by'],
  });
});

it('tells the truth: each path that it names is there, with its method and no other', async () => {
  const { sandbox } = await openTestSandbox();
  const server = await startServer(sandbox, { port: 0 });
  const headers = { authorization: `Bearer ${server.controlToken}`, 'content-type': 'application/json' };
  const origin = server.controlUrl.slice(0, server.controlUrl.indexOf(CONTROL_PATH.slice(0, -1)));
  try {
    for (const { method, path } of Object.values(operations).filter((operation) => operation.path !== 'stop')) {
      const url = `${origin}${CONTROL_PATH}${path}`;
      const body = method === 'GET' ? null : '{"nothing_of_the_kind":true,"limit":"many","name":5}';
      const { code } = (await (await fetch(url, { method, headers, body })).json()) as { code?: string };
      expect(code, path).not.toBe('bad_route');
      const other = method === 'GET' ? 'PUT' : 'GET';
      const known = Object.values(operations).some((one) => one.path === path && one.method === other);
      if (!known)
        expect(await (await fetch(url, { method: other, headers })).json()).toMatchObject({ code: 'bad_route' });
    }
  } finally {
    await server.close();
  }
});
