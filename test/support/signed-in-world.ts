import { type TestMachine, testMachine } from './context.ts';
import { openTestSandbox, type TestSandbox } from './sandbox.ts';

/** A machine with the profile `test`: the demo partner of a sandbox, with no shop signed in. */
export interface PartnerWorld extends TestMachine {
  readonly service: TestSandbox;
}

export const baseUrl = 'http://127.0.0.1:4010';

/** A sandbox without a socket, and a machine whose profile has the key of its partner. */
export async function partnerWorld(): Promise<PartnerWorld> {
  const service = await openTestSandbox();
  const machine = testMachine(service.sandbox.handle);
  await machine.save({
    version: 1,
    current_profile: 'test',
    profiles: { test: { kind: 'partner', base_url: baseUrl, api_key: service.partner.apiKey } },
  });
  return { ...machine, service };
}
