import { join } from 'node:path';
import { accountText } from '../../../src/client/account.ts';
import type { TestMachine } from '../../support/context.ts';
import { newWorkspaces } from '../../support/workspace.ts';

const BASE_URL = 'http://127.0.0.1:4010';

/** Where the events of a machine are, by whom, and what its runs have to be told for it. */
export async function workspaceOf(machine: TestMachine) {
  if (newWorkspaces.areFiles) {
    return { place: join(machine.directory, 'state', 'workspace.db'), account: '', env: {} };
  }
  const place = await newWorkspaces.place();
  const account = accountText({ origin: BASE_URL, family: 'partner', shop: '7' });
  const env = { SHOPCTL_WORKSPACE: place, SHOPCTL_BASE_URL: BASE_URL, SHOPCTL_API_KEY: '7:secret' };
  return { place, account, env };
}
