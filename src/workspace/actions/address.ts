import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { addressOf } from '../../client/account.ts';
import { Refusal } from '../../client/connection.ts';
import { oneOf, requiring, text } from '../../contract/schema/scalars.ts';
import { openWorkspace } from '../../ledger/open.ts';
import type { Workspace } from '../../store/workspace.ts';

const isAddress = (given: string) => /^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : '');

const address = (description: string) => text(description).refine(isAddress, 'must be a url').meta({ description });

const input = requiring({ one: address('an address of the service'), other: address('another address') }, {});

const output = z.object({
  one: text('The first address'),
  other: text('The other one'),
  are: oneOf(['same', 'separate'], 'Whether they are one service, with one ledger, or two'),
});

type Said = 'same' | 'separate';

/** What is asked before it is stored. */
const questions: Readonly<Record<Said, (one: string, other: string) => string>> = {
  same: (one, other) => `Are ${one} and ${other} one service? What was sent to either then counts as sent to both.`,
  separate: (one, other) =>
    `Are ${one} and ${other} two services? What was sent to one then does not count at the other.`,
};

async function say(are: Said, given: z.output<typeof input>, ports: Ports): Promise<z.output<typeof output>> {
  const [one, other] = [addressOf(given.one), addressOf(given.other)];
  if (one === other) throw new Refusal('one_address', `${one} is one address`, { kind: 'usage' });
  const workspace: Workspace = await openWorkspace(ports);
  try {
    ports.intend({ addresses: [one, other], are });
    await ports.person.confirm({ what: `saying that of ${one} and ${other}`, message: questions[are](one, other) });
    const { joinAddresses, separateAddresses } = await import('../store/join-addresses.ts');
    const store = are === 'same' ? joinAddresses : separateAddresses;
    await store(workspace, { one, other, at: ports.clock.now() });
    return { one, other, are };
  } finally {
    await workspace.close();
  }
}

const view = { columns: [{ path: 'one' }, { path: 'other' }, { path: 'are' }], name: 'one' };

/** `workspace address same`. */
export const sameAddress = action({
  id: 'workspace.address.same',
  words: ['workspace', 'address', 'same'],
  summary: 'Say that two addresses lead to one service',
  description:
    'A second address of a shop that the ledger knows is refused until you have said whether it is the same service. What was sent to either then counts at both: equal orders, names, batches and their undo. Other shopctl processes must be stopped.',
  examples: ['shopctl workspace address same https://shop.example https://gateway.example'],
  effect: 'local',
  needs: ['workspace'],
  input,
  positional: ['one', 'other'],
  output,
  view,
  run: (given, ports) => say('same', given, ports),
});

/** `workspace address separate`. */
export const separateAddress = action({
  id: 'workspace.address.separate',
  words: ['workspace', 'address', 'separate'],
  summary: 'Say that two addresses lead to two services',
  description:
    'Each has a ledger of its own from then on: what is sent to one can be sent to the other as well. What was sent while they counted as one counts at both. Other shopctl processes must be stopped.',
  examples: ['shopctl workspace address separate https://shop.example https://test.example'],
  effect: 'local',
  needs: ['workspace'],
  input,
  positional: ['one', 'other'],
  output,
  view,
  run: (given, ports) => say('separate', given, ports),
});
