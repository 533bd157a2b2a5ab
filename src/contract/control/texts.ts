import { textsIn } from '../../domain/language.ts';

/** A count with its noun: `1 call`, `2 calls`. */
export const countOf = (number: number, one: string, several = `${one}s`) =>
  `${number} ${number === 1 ? one : several}`;

interface Named {
  readonly name: string;
}

interface At {
  readonly at: string;
}

/** What people read of the sandbox: where it runs, and what its control operations did. */
export const sandboxTexts = {
  clock: {
    real: "the business clock follows the machine's",
    moved: "the business clock runs apart from the machine's",
    frozen: 'the business clock is frozen',
    /** A mode of the clock, and whether anything happens by itself. */
    stands: ({ mode, isDue }: { mode: string; isDue: boolean }) =>
      `${mode}; ${isDue ? 'something is due by itself' : 'nothing is due by itself'}`,
  },
  signedIn: ({ shop }: { shop: string }) => `shop ${shop} is signed in`,
  signedInElsewhere: ({ shop }: { shop: string }) =>
    `shop ${shop} is signed in; the app that asked learns of it at the redirect_url, or needs the id of the shop`,
  unlinked: ({ count }: { count: number }) => `${countOf(count, 'link')} removed`,
  faults: {
    added: ({ operation, when, action }: { operation: string; when: string; action: string }) =>
      `calls of ${operation} get ${action} (${when})`,
    none: 'no fault is scripted',
    listed: ({ count, fired }: { count: number; fired: number }) =>
      `${countOf(count, 'fault is', 'faults are')} scripted, ${countOf(fired, 'call')} affected`,
    removed: ({ count }: { count: number }) => `${countOf(count, 'fault')} removed`,
  },
  /** Where a parcel stands, and the states that may follow, which are typed. */
  moved: ({ state, following }: { state: string; following: readonly string[] }) => {
    const [only, ...others] = following.map((each) => `\`${each}\``);
    if (only === undefined) return `it is ${state} now, which is its last state`;
    if (others.length === 0) return `it is ${state} now; ${only} is the only state that follows`;
    return `it is ${state} now; any of ${[only, ...others].join(', ')} follows`;
  },
  snapshots: {
    saved: ({ name }: Named) => `the current data is saved as ${name}`,
    restored: ({ name }: Named) => `the data and the business clock are those of ${name} again`,
    listed: ({ count }: { count: number }) => countOf(count, 'snapshot'),
    removed: ({ name }: Named) => `snapshot ${name} is removed`,
    reset: 'what was created since the start was removed; accounts and keys stay',
  },
  noneRuns: ({ advice }: { advice: string }) => `no sandbox runs: ${advice}`,
  noneRunning: 'no sandbox is running',
  stopped: 'the sandbox has stopped',
  stoppedNamed: ({ name }: Named) => `the sandbox ${name} has stopped`,
  /** What the sandbox says of a field that it refuses, in its own words. */
  refused: ({ message }: { message: string }) => message,
  within: ({ name }: Named) => `in the sandbox ${name}`,
  started: {
    runs: ({ at }: At) => `The sandbox runs at ${at}`,
    runsAlready: ({ at, pid }: At & { pid: number }) => `The sandbox runs already, at ${at} (process ${pid})`,
    look: ({ at }: At) => `Look at it in a browser, with an address that works once: ${at}`,
    keepsNothing: 'It stores nothing: its data ends with it.',
    data: ({ path }: { path: string }) => `Its data: ${path}`,
    profiles: ({ profiles }: { profiles: readonly string[] }) =>
      `Profiles saved: ${profiles.join(' (the demo partner), ')} (a demo shop's own key)`,
    dropped: ({ shops }: { shops: readonly string[] }) =>
      `Shops signed in before, with an earlier sandbox, that no longer are: ${shops.join(', ')}`,
    elsewhere: 'In another terminal:',
    goOn: 'Go on with:',
    ctrlC: 'Ctrl-C stops it.',
    keepsRunning: ({ pid, path }: { pid: number; path: string }) =>
      `It keeps running (process ${pid}, which writes to ${path}) until:`,
  },
  name: 'takes letters, digits, _, - and ., at most 64',
  noProfile: ({ profile }: { profile: string }) => `a fresh sandbox has no profile ${profile}`,
  notHonoured: ({ setting }: { setting: string }) => `a fresh sandbox cannot honour ${setting}`,
  trigger: {
    kind: 'must begin with a kind of record, as in order.delivered',
    state: ({ states }: { states: readonly string[] }) => `must end with a state: ${states.join(', ')}`,
    ownCommand: ({ kind, advice }: { kind: string; advice: string }) =>
      `${kind} changes by a command of its own; ${advice}`,
    moved: (moved: { entity: string; id: string; orders: readonly string[]; shop: string; state: string }) => {
      const { entity, id, orders, shop, state } = moved;
      const of = orders.length === 0 ? '' : `, of ${orders.length === 1 ? 'order' : 'orders'} ${orders.join(', ')}`;
      return `moved ${entity} ${id}${of} in shop ${shop}: it is ${state} now`;
    },
    waiting: ({ count, advice }: { count: number; advice: string }) => `${count} not sent yet: ${advice}`,
    nobody: ({ advice }: { advice: string }) => `no webhook of that shop received it: ${advice}`,
  },
};

export const say = textsIn('sandbox', sandboxTexts);
