import { formatMoney } from '../../domain/amounts/money.ts';
import { textsIn } from '../../domain/language.ts';

const many = (count: number, one: string, several: string) => `${count} ${count === 1 ? one : several}`;

/** What the checks find, and what is said of it. */
export const doctorTexts = {
  failed: ({ check, found }: { check: string; found: string }) => `failed: ${check}: ${found}`,
  toLookAt: ({ check, found }: { check: string; found: string }) => `to look at: ${check}: ${found}`,
  noneYet: 'none yet',
  settingsUnusable: 'the settings cannot be used',
  workspaceAway: 'the workspace cannot be reached',
  workspaceUnusable: 'the workspace cannot be used',
  batches: {
    none: 'none is unfinished',
    open: ({ count, newest }: { count: number; newest: string }) =>
      `${many(count, 'is', 'are')} unfinished, the newest of them ${newest}`,
    continues: ({ command }: { command: string }) => `\`${command}\` continues it`,
  },
  writes: {
    known: 'the outcome of each is known',
    unclear: ({ count }: { count: number }) => `of ${many(count, 'write', 'writes')} the outcome is not known`,
  },
  listener: {
    never: 'none was ever started',
    elsewhere: 'may run on another machine',
    runs: ({ names }: { names: string }) => `${names} runs`,
    none: ({ waiting }: { waiting: number }) =>
      `none runs${waiting === 0 ? '' : `, and ${many(waiting, 'change waits', 'changes wait')} for a target`}`,
  },
  webhooks: {
    counted: ({ count, stopped }: { count: number; stopped: number }) =>
      `${many(count, 'webhook', 'webhooks')}, ${stopped === 0 ? 'none stopped' : `${stopped} stopped`}`,
    failing: ({ count, failing }: { count: number; failing: number }) =>
      `${many(count, 'webhook', 'webhooks')}, ${failing} failing: the service tries again`,
    notAsked: 'the service was not asked',
  },
  disk: {
    unwritable: ({ place }: { place: string }) =>
      `nothing can be written in ${place}, where batches and drafts are stored`,
    unknown: 'this file system does not report it',
    free: ({ mebibytes }: { mebibytes: number }) => `${formatMoney(mebibytes)} MiB free`,
  },
  database: {
    server: 'PostgreSQL, as the setting workspace says',
    driver: ({ driver, node }: { driver: string; node: string }) => `SQLite, by ${driver}, on Node ${node}`,
    slower: ({ found, why }: { found: string; why: string }) => `${found}, because ${why}; that is slower`,
  },
  workspace: {
    unused: ({ place }: { place: string }) => `${place}, not used yet`,
    twice: ({ count, name, one, other }: { count: number; name: string; one: string; other: string }) =>
      `${count === 1 ? '1 record was' : `${count} records were`} created twice: ${name} is ${one} and ${other}`,
    chooseOne: 'cancel or delete the ones that you do not want',
  },
  key: {
    notFound: 'the service was not found',
    accepted: ({ key }: { key: string }) => `${key} is accepted`,
    notKnown: 'it is not known whether the service accepts it',
    refused: ({ key, problem }: { key: string; problem: string }) => `${key} is refused: ${problem}`,
    noAnswer: 'no answer came',
    serviceFailed: 'the service failed, and said nothing of it',
    none: 'no key is set',
    ofShop: ({ found }: { found: string }) => `${found}: it is a shop's own key`,
    inDoubt: 'the key is in doubt',
  },
  service: {
    answers: ({ status, found }: { status: string; found: string }) => `answers ${status}: ${found}`,
    notChecked: 'not checked',
    answered: ({ milliseconds }: { milliseconds: number }) => `answered in ${milliseconds} ms`,
    noAddress: 'no address is known',
    nothingSent: 'nothing was sent',
    noProxy: 'the proxy cannot be used',
  },
  clock: {
    noTime: 'the service does not send its time',
    within: ({ seconds }: { seconds: number }) => `within ${seconds} s of the service's`,
    days: ({ count }: { count: number }) => `${count} days`,
    hours: ({ count }: { count: number }) => `${count} hours`,
    minutes: ({ count }: { count: number }) => `${count} minutes`,
    seconds: ({ count }: { count: number }) => `${count} s`,
    ahead: ({ time }: { time: string }) => `${time} ahead of the service's`,
    behind: ({ time }: { time: string }) => `${time} behind the service's`,
  },
  version: {
    ofShopOnly: "only a shop's own API key may ask for it",
    is: ({ service, version }: { service: string | null | undefined; version: string | null | undefined }) =>
      `${service ?? 'unnamed'} ${version ?? 'of no version'}`,
  },
  permissions: {
    close: ({ warnings }: { warnings: string }) => `${warnings}. Close it?`,
    unwritable: ({ path, cache }: { path: string; cache: string }) =>
      `${path} cannot be written: sign-ins and settings cannot be saved, and a copy of the workspace that is put back is known as one only while ${cache} exists`,
    onlyYou: 'only you can reach the settings',
    closed: 'closed to other users',
  },
  variables: {
    empty: ({ names }: { names: string }) => `set, but empty: ${names}`,
    cure: 'give a value, or unset it',
  },
  profile: {
    is: ({ name, kind, origin }: { name: string; kind: string; origin: string }) =>
      `${name}, a ${kind}'s (from the ${origin})`,
    missing: ({ name }: { name: string }) => `there is no ${name}`,
    addressElsewhere: 'none; the address comes from elsewhere',
    none: 'none',
  },
  address: ({ url, origin }: { url: string; origin: string }) => `${url} (from the ${origin})`,
  proxy: {
    unread: ({ name }: { name: string }) => `none in use: ${name} is not read`,
    cure: 'give the address of a proxy in HTTPS_PROXY',
    none: 'none in use',
    used: ({ proxy }: { proxy: string }) => `${proxy} in use`,
    failed: ({ proxy }: { proxy: string }) => `${proxy} does not connect`,
  },
};

export const say = textsIn('doctor', doctorTexts);
