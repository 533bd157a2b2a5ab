import { onTestFinished } from 'vitest';
import type { Transport } from '../../src/platform/http/transport.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { type TestMachine, testMachine } from '../support/context.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';

export interface World {
  readonly service: TestSandbox;
  readonly baseUrl: string;
  readonly machine: TestMachine;
}

/** A sandbox on a port, and a machine with the profile of its partner; `component` where the service has no page. */
export async function world({ component = false } = {}): Promise<World> {
  const service = await openTestSandbox();
  const { baseUrl, close } = await startServer(service.sandbox, { port: 0 });
  onTestFinished(close);
  const wire = createTransport();
  onTestFinished(() => wire.close());
  // A deployment that knows no redirect_url ignores it, and answers no auth_url.
  const unknowing: Transport = (request) =>
    wire.transport({ ...request, body: request.body.replace(/,?"redirect_url":"[^"]*"/, '') });
  const machine = testMachine(component ? unknowing : wire.transport);
  const address = component ? { sign_in_component_url: `${baseUrl}/sign-in/component.js` } : {};
  const profile = { kind: 'partner', base_url: baseUrl, api_key: service.partner.apiKey, ...address } as const;
  await machine.save({ version: 1, current_profile: 'test', profiles: { test: profile } });
  return { service, baseUrl, machine };
}

/** Runs `auth login` with a person at the terminal whose browser does as told. */
export function login({ machine }: World, visit: (url: string) => Promise<unknown>, words: readonly string[] = []) {
  const visits: Promise<unknown>[] = [];
  const ended = machine.run(['auth', 'login', ...words], {
    terminal: true,
    browse: (url) => {
      visits.push(visit(url));
      return true;
    },
  });
  return ended.then(async (end) => {
    await Promise.all(visits);
    return end;
  });
}

export const shopsOf = async ({ machine }: World) => (await machine.settings()).profiles.test?.shops ?? {};
