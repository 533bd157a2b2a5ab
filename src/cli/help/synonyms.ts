import { shellWord } from '../errors/advice.ts';
import { say } from '../errors/texts.ts';

/** What somebody types who knows other tools, and what it is here: words of a command, or a sentence. */
type Meaning = string | { readonly says: () => string };

const noReturn: Meaning = { says: () => say().meant.noReturn };
const returns = Object.fromEntries(['return', 'refund', 'returns', 'exchange'].map((word) => [word, noReturn]));

/** Words at the top that are no group, with the command that is meant. */
const atTheTop: Readonly<Record<string, Meaning>> = {
  ...returns,
  login: 'auth login',
  signin: 'auth login',
  connect: 'auth login',
  logout: 'auth logout',
  signout: 'auth logout',
  shops: 'auth shops',
  whoami: 'account show',
  me: 'account show',
  status: 'doctor',
  check: 'doctor',
  init: 'profiles add',
  setup: 'profiles add',
  configure: 'profiles add',
  switch: 'profiles use',
  use: 'profiles use',
  settings: 'config list',
  set: 'config set',
  env: 'help environment',
  open: 'console --open',
  browse: 'console --open',
  web: 'console --open',
  dashboard: 'console --open',
  ui: 'console --open',
  listen: 'webhooks listen',
  forward: 'webhooks listen',
  trigger: 'sandbox trigger',
  logs: 'sandbox log',
  log: 'sandbox log',
  start: 'sandbox start',
  stop: 'sandbox stop',
  tail: 'events tail',
  resend: 'events replay',
  import: 'batch run',
  upload: 'batch run',
  map: 'batch map',
  undo: 'batch undo',
  retry: 'batch retry',
  resume: 'batch resume',
  print: 'slips',
  labels: 'slips',
  track: 'shipping get',
  cancel: 'orders cancel',
  sync: 'mirror sync',
  sql: 'mirror sql',
  query: 'mirror sql',
  reconcile: 'cod reconcile',
  export: { says: () => say().meant.toFile },
  search: { says: () => say().meant.match },
  find: { says: () => say().meant.match },
  upgrade: { says: () => say().meant.upgrade },
  alias: { says: () => say().meant.noAlias },
};

/** Verbs of other tools, with ours in the order in which a group is asked for them. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  view: ['get', 'show'],
  show: ['get', 'show'],
  get: ['get', 'show'],
  describe: ['get', 'show'],
  info: ['get', 'show'],
  read: ['get', 'show'],
  current: ['show', 'list'],
  whoami: ['shops', 'show'],
  status: ['shops', 'status', 'show'],
  ls: ['list', 'shops'],
  all: ['list', 'shops'],
  index: ['list', 'shops'],
  new: ['create', 'add'],
  add: ['create', 'add'],
  make: ['create', 'add'],
  insert: ['create', 'add'],
  create: ['create', 'add'],
  edit: ['update', 'set'],
  change: ['update', 'set'],
  modify: ['update', 'set'],
  patch: ['update', 'set'],
  update: ['update', 'set'],
  rm: ['delete', 'remove', 'forget'],
  del: ['delete', 'remove', 'forget'],
  remove: ['delete', 'remove', 'forget'],
  destroy: ['delete', 'remove', 'forget'],
  delete: ['delete', 'remove', 'forget'],
  forget: ['forget', 'remove', 'delete'],
  track: ['get'],
  find: ['find', 'list'],
  search: ['find', 'list'],
  logs: ['log'],
  logout: ['logout'],
};

const noChange: Meaning = { says: () => say().meant.noChange };
const changes = Object.fromEntries(
  ['update', 'edit', 'change', 'modify', 'patch', 'set'].map((word) => [word, noChange]),
);
const ofOrders: Readonly<Record<string, Meaning>> = {
  ...changes,
  ...returns,
  ship: 'ship',
  track: 'orders get',
  find: 'orders list --match TEXT',
  search: 'orders list --match TEXT',
  export: 'orders list --to orders.xlsx',
};

/** Words of one group that mean something of their own there. */
const ofGroups: Readonly<Record<string, Readonly<Record<string, Meaning>>>> = {
  orders: ofOrders,
  shipping: ofOrders,
  fulfillments: { ...changes, ...returns },
  webhooks: { trigger: 'sandbox trigger', resend: 'events replay', replay: 'events replay' },
  batch: {
    import: 'batch run',
    upload: 'batch run',
    start: 'batch run',
    stop: { says: () => say().meant.stop },
  },
};

/** Flags of other tools, with ours. */
const flags: Readonly<Record<string, string | (() => string)>> = {
  format: () => say().meant.format,
  jq: () => say().meant.query,
  jsonpath: () => say().meant.query,
  template: () => say().meant.query,
  columns: '--fields',
  web: () => say().meant.console,
  max: '--limit',
  count: '--limit',
  L: '--limit',
  n: '--limit',
  verbose: '--debug',
  force: '--yes',
  f: '--yes',
  silent: '--quiet',
  dry: '--dry-run',
  preview: '--dry-run',
  search: '--match',
  where: () => say().meant.queryOrMatch,
  from: '--since',
  to: '--until',
  after: '--since',
  before: '--until',
  days: '--since 7d',
  account: '--profile',
  env: '--profile',
  environment: '--profile',
  'non-interactive': '--no-input',
  'no-prompt': '--no-input',
  batch: '--no-input',
  name: '--full-name',
  'api-key': () => say().meant.keyElsewhere,
  token: () => say().meant.keyElsewhere,
  key: () => say().meant.keyElsewhere,
};

/** What to do about an order's code behind `ship`, which takes none. */
export const shipCode = (code: string): string =>
  say().meant.shipCode({ confirm: `shopctl orders confirm ${shellWord(code)}` });

const inWords = (meaning: Meaning, rest: readonly string[] = []) =>
  typeof meaning === 'string'
    ? say().refusal.commandMeant({ command: ['shopctl', meaning, ...rest].join(' ') })
    : meaning.says();

/**
 * What is meant by a word that is no command of a group, or of the top if `group` is undefined; `known` are the names that
 * there are, and `rest` what follows the word. Undefined if nothing is known of it.
 */
export function meantBy(
  word: string,
  {
    group,
    known,
    rest = [],
  }: { readonly group?: string; readonly known: readonly string[]; readonly rest?: readonly string[] },
): string | undefined {
  const name = word.toLowerCase();
  if (group === undefined) {
    const plural = known.find((one) => one === `${name}s` || one === `${name}es`);
    if (plural !== undefined) return inWords(plural, rest.filter((one) => !one.startsWith('-')).slice(0, 1));
    return Object.hasOwn(atTheTop, name) ? inWords(atTheTop[name] ?? '') : undefined;
  }
  const own = ofGroups[group];
  if (own !== undefined && Object.hasOwn(own, name)) return inWords(own[name] ?? '');
  const verb = (Object.hasOwn(verbs, name) ? verbs[name] : undefined)?.find((one) => known.includes(one));
  return verb === undefined ? undefined : inWords(`${group} ${verb}`);
}

/** What is meant by a flag that a command does not have, if other tools have it; `own` are those that it has. */
export function flagMeant(name: string, own: readonly string[]): string | undefined {
  const found = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (found === undefined) return undefined;
  const meaning = typeof found === 'string' ? found : found();
  // What names a flag of some commands only is no advice for the others.
  const [, flag] = /^--([a-z-]+)/.exec(meaning) ?? [];
  return flag === undefined || own.includes(flag) ? say().meant.use({ flag: meaning }) : undefined;
}

/** All that is proposed, for a test: command lines, and flags. */
export const proposals = () => ({
  lines: [atTheTop, ...Object.values(ofGroups)].flatMap((table) =>
    Object.values(table).flatMap((meaning) =>
      typeof meaning === 'string'
        ? [`shopctl ${meaning}`]
        : [...meaning.says().matchAll(/`(shopctl [^`]*)`/g)].map(([, line = '']) => line),
    ),
  ),
  verbs,
  flags: Object.fromEntries(
    Object.entries(flags).map(([name, meaning]) => [name, typeof meaning === 'string' ? meaning : meaning()]),
  ),
});
