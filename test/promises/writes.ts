import type { Machine, Stage } from './stage.ts';

/** A command that makes an order, with or without an external_id of the caller's. */
export interface Creating {
  readonly title: string;
  readonly named: boolean;
  /** The operation that sends it. */
  readonly operation: string;
  /** The words that make an order for this recipient on that machine. */
  readonly words: (stage: Stage, machine: Machine, recipient: string) => Promise<readonly string[]>;
}

const picking = ['--pick', 'cheapest', '--yes', '--json'];
const name = (recipient: string, named: boolean) =>
  named ? { external_id: `WEB-${recipient.replaceAll(/[^A-Za-z0-9]/g, '-')}` } : {};

function both(creating: (named: boolean) => Omit<Creating, 'named'>): Creating[] {
  return [false, true].map((named) => {
    const { title, ...rest } = creating(named);
    return { ...rest, named, title: `${title}${named ? ', with an external_id' : ''}` };
  });
}

/** The commands that create orders, each as people run it. */
export const creatings: readonly Creating[] = [
  ...both((named) => ({
    title: 'ship',
    operation: 'partner.Shipping/CreateAndConfirmOrder',
    words: async (stage, machine, recipient) => [
      'ship',
      '--input',
      machine.file(`${recipient}.json`, stage.plain(recipient, name(recipient, named))),
      ...picking,
    ],
  })),
  ...both((named) => ({
    title: 'shipping create',
    operation: 'partner.Shipping/CreateAndConfirmOrder',
    words: async (stage, machine, recipient) => [
      'shipping',
      'create',
      '--input',
      machine.file(`${recipient}.json`, await stage.quoted(recipient, name(recipient, named))),
      '--json',
    ],
  })),
  ...both((named) => ({
    title: 'orders create',
    operation: 'shop.Order/CreateOrder',
    words: async (stage, machine, recipient) => {
      const { shipping: _, ...order } = stage.plain(recipient, name(recipient, named)) as Record<string, unknown>;
      return ['orders', 'create', '--input', machine.file(`${recipient}.json`, order), '--json', '--profile', 'shop'];
    },
  })),
  {
    title: 'ship, by questions',
    named: false,
    operation: 'partner.Shipping/CreateAndConfirmOrder',
    words: async (stage, machine, recipient) => {
      const input = machine.file(`${recipient}.json`, stage.plain(recipient));
      const replayed = machine.file(`${recipient}-answers.json`, []);
      return ['ship', '--input', input, '--answers', replayed, ...picking];
    },
  },
];

/** The id of the order that a run printed; undefined where it printed none, or not all of it. */
export function printedId({ stdout }: { readonly stdout: string }): string | undefined {
  if (!stdout.endsWith('\n')) return undefined;
  try {
    const answer = JSON.parse(stdout) as { id?: string; order?: { id?: string } };
    return answer.order?.id ?? answer.id;
  } catch {
    return undefined;
  }
}
