import { textsIn } from '../../domain/language.ts';

interface Gap {
  readonly from: string;
  readonly to: string;
}

const running = (name: string, pid: number | undefined) =>
  `another listener named ${name} is running${pid === undefined ? '' : ` (process ${pid})`}`;

const seconds = (count: number) => (count < 120 ? `${count} s` : `${Math.round(count / 60)} min`);

/** What people read of this subject. */
export const eventsTexts = {
  /** A field and what is wrong with it. */
  field: ({ field, what }: { field: string; what: string }) => `${field} ${what}`,
  targets: {
    unknown: ({ given, names }: { given: string; names: readonly string[] }) =>
      `no target has the name or the address ${given}; ${names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`}`,
    noneActive: 'no target is active',
    tooManyNames: 'names more targets than there are',
    nameForm: 'takes letters, digits and . : @ / _ -, at most 100',
    twoOfName: ({ name }: { name: string }) => `must tell two targets apart that would both be called ${name}`,
    form: 'must be a URL, or ENTITY=URL, or ENTITY.create=URL (update, delete)',
    formMeant: ({ meant }: { meant: string }) =>
      `must be a URL, or ENTITY=URL, or ENTITY.create=URL (update, delete); write ${meant}`,
    noEntity: ({ entity, names }: { entity: string; names: readonly string[] }) =>
      `knows no entity ${entity}: ${names.join(', ')}`,
    noChange: ({ change, names }: { change: string; names: readonly string[] }) =>
      `knows no change ${change}: ${names.join(', ')}`,
    notHttp: 'must be an http or https URL',
    hasUser: 'must not carry a user name or password',
    forbidden: 'leads to a link-local or metadata address',
  },
  attempt: {
    accepted: ({ target, id, answer, ms }: { target: string; id: string; answer: string; ms: number }) =>
      `${target}: change ${id}: ${answer} in ${ms} ms`,
    dead: ({ attempt }: { attempt: string }) => `${attempt}; given up, a dead letter`,
    again: ({ attempt, inSeconds }: { attempt: string; inSeconds: number }) =>
      `${attempt}; next attempt in ${seconds(inSeconds)}`,
    more: ({ count }: { count: number }) => `and ${count} more accepted`,
  },
  noAccount:
    'several accounts share the workspace, so it takes a key to say whose changes are meant, and there is none',
  listen: {
    noneCame: 'no change came',
    oneUnmatched: '1 change came, and it did not match the expression',
    unmatched: ({ seen }: { seen: number }) => `${seen} changes came, and none matched the expression`,
    absent: ({ came, seen, fields }: { came: string; seen: number; fields: readonly string[] }) =>
      `${came}; ${seen === 1 ? 'it has no' : 'none of them has'} ${fields.join(', ')}: it is over what is printed of a change`,
    running: ({ name, pid }: { name: string; pid: number | undefined }) => running(name, pid),
    waiting: ({ name, pid, most }: { name: string; pid: number | undefined; most: number | undefined }) =>
      `${running(name, pid)}: waiting${most === undefined ? '' : ` up to ${most} s`} for it to stop …`,
    notAcknowledged: ({ why }: { why: string }) => `not acknowledged, the service will send it again: ${why}`,
    at: ({ url }: { url: string }) => `Listening at ${url}`,
    cameOf: ({ seen, count }: { seen: number; count: number | undefined }) => `${seen} of ${count} changes came`,
    port: 'must be 0 to 65535',
    atLeastOne: 'must be at least 1',
    publicUrl: 'must be an https URL without a query, and without a user or password',
    publicUrlMissing: 'the service is on another machine and needs the address at which it can reach this listener',
    urlMissing: 'is missing: the service is on another machine',
  },
  expression: {
    wrong: ({ why }: { why: string }) => `is no JMESPath expression: ${why}`,
    openQuote: ({ at }: { at: number }) => `the quote at character ${at} is not closed`,
    endsEarly: 'the expression ends too early or something is left open',
    number: 'a number stands in backquotes, as in `5`',
    assigned: ({ name }: { name: string }) => `one = after ${name} compares nothing: write ==`,
    noFunction: ({ name }: { name: string }) => `there is no function ${name}()`,
    tooLong: 'it takes too long for one change',
  },
  webhook: {
    stopped: ({ id, since, recover }: { id: string; since: string; recover: string }) =>
      `the service has stopped webhook ${id}: changes since ${since} are missing until it is created again with \`${recover}\``,
    gap: ({ from, to }: Gap) =>
      `changes between ${from} and ${to} are missing: the service had stopped sending and keeps no history; the lists show the current state of the records, not what happened to them`,
    gapPolled: ({ from, to, polledAt }: Gap & { polledAt: string }) =>
      `changes between ${from} and ${to} did not come, because the service had stopped sending; a poll at ${polledAt} has stored the present state of every record that changed: what happened to it in between is not known`,
    polled: ({ count }: { count: number }) =>
      `${count === 1 ? 'one change was' : `${count} changes were`} found by polls, because no webhook had delivered them: see \`shopctl events list\`, where their source is poll`,
    notLooked: ({ why }: { why: string }) => `could not look at the webhooks: ${why}`,
    notLookedAfter: ({ why }: { why: string }) => `could not look after the webhook: ${why}`,
    registered: ({ id, kinds }: { id: string; kinds: number }) =>
      `Registered webhook ${id} for ${kinds} kinds of records`,
    tookOver: ({ id, kinds }: { id: string; kinds: number }) => `Took over webhook ${id} for ${kinds} kinds of records`,
    inPlace: ({ id }: { id: string }) => `The webhook had been stopped or removed: registered ${id} in its place`,
    notRemoved: ({ id, why }: { id: string; why: string }) => `webhook ${id} could not be removed: ${why}`,
    noListener: ({ advice }: { advice: string }) => `no listener is running: ${advice}`,
    unexpected: 'unexpected response: a receiver must answer status 200 with a body of exactly ok',
    ofOthers: ({ count, advice }: { count: number; advice: string }) =>
      `${count} stopped ${count === 1 ? 'webhook belongs' : 'webhooks belong'} to no listener here: ${advice}`,
    noneStopped: 'the service has stopped no webhook',
  },
  send: {
    noneYet: ({ kind }: { kind: string }) => `there is no ${kind} yet`,
    none: ({ kind, id }: { kind: string; id: string }) => `there is no ${kind} ${id}`,
    noSuchRecord: 'is the id of no such record',
    ofPartner: "a partner's key reads orders by their id, and nothing else: give the id of an order",
    orderId: 'must be the id of an order',
    hasNoId: ({ kind }: { kind: string }) => `a ${kind} cannot be looked up: it has no id`,
    giveId: ({ kind }: { kind: string }) => `a ${kind} cannot be looked up: give its id`,
  },
  /** What a receiver is tried with: its name, and what a receiver must do. */
  tried: {
    one: { name: 'one change', demand: 'accept a single change' },
    hundred: { name: 'a batch of 100', demand: 'accept up to 1000 changes in one callback' },
    twice: {
      name: 'the same twice',
      demand: 'accept what comes again: after a failure the service sends the same changes under a new id',
    },
    unordered: { name: 'out of order', demand: 'accept a change that is older than one it has seen' },
    large: {
      name: 'a body of 1 MiB',
      demand: 'accept large bodies: a callback of 1000 changes is larger than most default limits',
    },
    fields: {
      name: 'unknown fields',
      demand: 'accept fields and values that a later version of the service adds',
    },
    entity: { name: 'an unknown entity', demand: 'accept changes of records it does not know' },
    slow: {
      name: 'a slow sender',
      demand: 'read the whole body before it answers, and wait a few seconds for it',
    },
    together: {
      name: 'ten at once',
      demand: 'accept several callbacks at a time: each webhook of an account sends its own',
    },
    restart: {
      name: 'a restart',
      demand: 'answer a callback in flight correctly or not at all, and accept it when it comes again',
    },
  },
  /** How a receiver did not do as it must: what follows the word it. */
  answered: {
    none: ({ why }: { why: string }) => `gave no answer: ${why}`,
    redirect: ({ status }: { status: number }) => `answered a redirect (${status}); the service follows none`,
    tooLarge: 'answered 413: it does not accept a body of that size',
    status: ({ status }: { status: number }) => `answered status ${status}; the service accepts only 200`,
    early: 'answered ok before it had the whole body: it cannot have stored what it has not read',
    late: ({ seconds, most }: { seconds: number; most: number }) =>
      `took ${seconds.toFixed(1)} s, longer than ${most} s; the service gives up after 60 s`,
    encoded: ({ encoding }: { encoding: string }) =>
      `answered a body encoded with ${encoding}; the body must be exactly ok, and the service decodes nothing`,
    empty: 'answered 200 with an empty body; the body must be exactly ok',
    other: ({ body }: { body: string }) => `answered 200 with ${body}; the body must be exactly ok`,
    /** The small difference by which a body fails to be what it must. */
    slips: {
      mark: ({ answer }: { answer: string }) => `${answer}, without a byte order mark`,
      blanks: ({ answer }: { answer: string }) => `${answer}, with one newline at most and no other blanks`,
      capitals: ({ answer }: { answer: string }) => `${answer}, in lower case`,
      quotes: ({ answer }: { answer: string }) => `${answer}, without quotes`,
      json: ({ answer }: { answer: string }) => `${answer}, not JSON`,
      page: ({ answer }: { answer: string }) => `${answer}, not a page`,
    },
  },
  /** Which of several deliveries went wrong. */
  wentWrong: {
    first: ({ fault }: { fault: string }) => `the first time it ${fault}`,
    second: ({ fault }: { fault: string }) => `the second time it ${fault}`,
    some: ({ wrong, of, fault }: { wrong: number; of: number; fault: string }) =>
      `${wrong} of ${of} went wrong: it ${fault}`,
    whileRestarted: ({ fault }: { fault: string }) => `while it restarted it ${fault}`,
    afterRestart: ({ fault }: { fault: string }) => `after the restart it ${fault}`,
  },
  /** What comes of trying a receiver. */
  verdict: {
    passed: ({ passed, of }: { passed: number; of: number }) => `${passed} of ${of} checks passed`,
    unreached: ({ others }: { others: number }) =>
      `the receiver cannot be reached: the other ${others} checks were not made`,
    oneReason: ({ count, fault }: { count: number; fault: string }) => `${count} for one reason: it ${fault}`,
    must: ({ check, demand }: { check: string; demand: string }) => `${check}: a receiver must ${demand}`,
    noRestart: 'the restart command failed, so nothing can be said about a restart',
  },
  stored: {
    moment: 'must be a time like 2026-01-31T08:00:00Z, a day, or an age such as 2h',
    elsewhere: ({ id }: { id: string }) => `there is no change ${id} in this workspace`,
    unknown: ({ id }: { id: string }) => `no change ${id} is stored here; it may have been removed`,
    needsTarget: 'needs a target',
    more: ({ most, advice }: { most: number | undefined; advice: string }) => `there are more than ${most}: ${advice}`,
    choose: 'choose the changes: ids, or a time since when',
    sinceMissing: 'is missing, and so are ids',
    listenerRuns: 'a listener runs: it forwards them',
    ofAllShops: 'changes of all shops are removed',
    kept: ({ count }: { count: number }) => `${count} stay: a target has not accepted them yet`,
  },
  wait: {
    still: (facts: { name: string; seconds: number; says: string; wanted: readonly string[] }) =>
      `after ${facts.seconds} s ${facts.name} is still ${facts.says}, not ${facts.wanted.join(' or ')}`,
    over: ({ name, says, wanted }: { name: string; says: string; wanted: readonly string[] }) =>
      `${name} is ${says}, and can no longer be ${wanted.join(' or ')}`,
    order: ({ name }: { name: string }) => `order ${name}`,
    batch: ({ name }: { name: string }) => `batch ${name}`,
    webhook: ({ name }: { name: string }) => `webhook ${name}`,
    ofParcels: ({ state, parcels }: { state: string; parcels: readonly string[] }) =>
      `${state} (${parcels.length === 1 ? 'parcel' : 'parcels'}: ${parcels.join(', ')})`,
    calledBy: ({ order, by, id }: { order: string; by: string; id: string }) => `${order} is the ${by} of ${id}`,
  },
};

export const say = textsIn('events', eventsTexts);
