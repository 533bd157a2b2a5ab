import { textsIn } from '../../domain/language.ts';

interface Addresses {
  readonly one: string;
  readonly other: string;
}

/** What people read of this subject. */
export const workspaceTexts = {
  /** What a place is, and what it holds. */
  paths: {
    program: 'program',
    programHolds: 'the program itself',
    settings: 'settings',
    settingsHold: 'settings, profiles and keys',
    state: 'state',
    stateHolds: 'drafts, mirrors, running sandboxes and their data',
    workspace: 'workspace',
    workspaceHolds: 'the ledger of what was sent, batches, payments, and received changes',
    usualState: 'usual state',
    usualStateHolds: 'what was stored before',
    cache: 'cache',
    cacheHolds: 'what is only remembered for a while',
    programCache: 'program cache',
    programCacheHolds: 'the unpacked program, and compiled code',
    unit: 'unit',
    unitHolds: 'a service that runs shopctl',
    units: 'units',
    unitsHold: 'services; none of them runs shopctl',
    completion: 'completion',
    completionHolds: ({ shell }: { shell: string }) => `completion for ${shell}`,
  },
  backup: {
    byServer: 'a database is backed up by its server’s own tools',
    there: ({ file }: { file: string }) => `${file} already exists`,
    without: ({ mappings, way }: { mappings: string; way: string }) =>
      `profiles, keys and the mappings of sheets (${mappings}) are not in it; on another machine, copy the mappings there, then ${way}`,
  },
  address: {
    none: 'must be a url',
    one: ({ address }: { address: string }) => `${address} is one address`,
    saying: ({ one, other }: Addresses) => `saying that of ${one} and ${other}`,
    same: ({ one, other }: Addresses) =>
      `Are ${one} and ${other} one service? What was sent to either then counts as sent to both.`,
    separate: ({ one, other }: Addresses) =>
      `Are ${one} and ${other} two services? What was sent to one then does not count at the other.`,
  },
  move: {
    moving: ({ place }: { place: string }) => `moving ${place}`,
    movingBack: ({ place }: { place: string }) => `moving ${place} back`,
    emptyDatabase: 'move to a database that is empty, or that others use already',
    noLedger: ({ place }: { place: string }) =>
      `these settings know no ledger in ${place}: go on there, or move it back with the settings that moved it`,
    back: ({ place, now, aside }: { place: string; now: string; aside: string }) =>
      `${place} was moved to ${now}. Move it back? What is here is renamed to ${aside}.`,
    aside: ({ place, aside }: { place: string; aside: string }) =>
      `what was in ${place} before is in ${aside}, which is not used any more`,
    ledger: ({ from, place }: { from: string; place: string }) =>
      `Move the ledger in ${from} to ${place}? The old workspace is refused from then on.`,
    replaced: ({ place }: { place: string }) =>
      `${place} was replaced. Use ${place} from now on? It does not know what was sent before: that can be sent twice.`,
    gone: ({ from, place }: { from: string; place: string }) =>
      `${from} does not exist any more. Use ${place} from now on? It does not know what was sent before: that can be sent twice.`,
    ends: ({ what, place, why }: { what: string; place: string; why: string }) => `${what} of ${place} ends: ${why}`,
    nothing: ({ place }: { place: string }) => `nothing to move: your accounts use ${place} already`,
    atWork: ({ place }: { place: string }) => `another shopctl is at work in ${place}: nothing was moved`,
    atWorkToJoin: ({ place }: { place: string }) => `another shopctl is at work in ${place}: nothing was changed`,
    stopFirst: 'stop listeners, batches and wizards first',
    undecided: ({ place, clashes, more }: { place: string; clashes: readonly string[]; more: number }) =>
      `nothing was moved from ${place}: ${clashes.join('; ')}${more === 0 ? '' : `; and ${more} more`}`,
    decide: 'remove the file or the target in one of the two places, move, and add it there again',
    copies: ({ place, other }: { place: string; other: string }) =>
      `${place} and ${other} are copies of one workspace: nothing was moved`,
    severalAccounts: ({ count }: { count: number }) =>
      `it has received changes of ${count} accounts, and a file has those of one`,
    otherTarget: ({ name }: { name: string }) => `the target ${name} is another one there`,
    listenerPath: ({ name }: { name: string }) => `the path of the listener ${name}`,
    listenerThere: 'one of that name goes on there, under its own path: register its webhook again',
    sessionClosed: ({ session }: { session: string }) => `the session ${session} is closed, and has other lines there`,
    fileDiffers: ({ name }: { name: string }) => `the payment file ${name} is there with other amounts or sessions`,
    fileRepeats: ({ name, sessions }: { name: string; sessions: string }) =>
      `the payment file ${name} has what the session ${sessions} has there already`,
    dropCopy: 'delete or rename the copy that is out of date',
  },
};

export const say = textsIn('workspace', workspaceTexts);
