import { formatMoney } from '../domain/amounts/money.ts';
import { textsIn } from '../domain/language.ts';

interface Named {
  readonly id: string;
}

/** What a person reads of this subject at a terminal; agents and their log are answered in English. */
export const agentsTexts = {
  person: {
    needed: ({ why }: { why: string }) => `this takes somebody at a terminal: ${why}`,
    variable: ({ name }: { name: string }) => `${name} is set, as programs do`,
    agreedBefore: 'an agreement beforehand is no answer',
    noTerminal: 'stdin and stderr must be a terminal',
  },
  plan: {
    title: ({ id, command, records }: Named & { command: string; records: number }) =>
      `plan ${id}: ${command}, ${formatMoney(records)} ${records === 1 ? 'record' : 'records'}`,
    ofShop: ({ shop, origin }: { shop: string; origin: string }) => `shop ${shop} at ${origin}`,
    ofProfile: ({ profile, shop, origin }: { profile: string; shop: string; origin: string }) =>
      `profile ${profile}, shop ${shop} at ${origin}`,
    fees: ({ fees }: { fees: number }) => `fees in all ${formatMoney(fees)}`,
    cod: ({ cod }: { cod: number }) => `cash on delivery in all ${formatMoney(cod)}`,
    digest: ({ digest, until }: { digest: string; until: string }) => `digest ${digest}, until ${until}`,
    expired: ({ id }: Named) => `plan ${id} has expired`,
    changed: ({ id }: Named) => `plan ${id} is not what was planned`,
    notAllowed: ({ id, why }: Named & { why: string }) => `plan ${id} cannot be approved: ${why}`,
    over: ({ id, state }: Named & { state: string }) => `plan ${id} is ${state} already`,
    elsewhere: ({ id, profile }: Named & { profile: string }) => `plan ${id} is of the profile ${profile}`,
    needed: 'a plan is needed',
    unknown: 'there is no plan of that name',
    several: 'several plans begin like that',
    typeFees: 'Type the sum of the fees to approve (Ctrl-C leaves):',
    typeRecords: 'Type the number of records to approve (Ctrl-C leaves):',
    notFees: 'is not the sum of the fees',
    notRecords: 'is not the number of records',
  },
  /** A row of a plan, as the one who approves it reads it. */
  row: {
    at: ({ goods, price }: { goods: string; price: string }) => `${goods} at ${price}`,
    atPrices: ({ goods, price, others }: { goods: string; price: string; others: readonly string[] }) =>
      `${goods} at ${price} (${others.join(', ')})`,
    price: ({ kind, price }: { kind: string; price: number }) => `${kind} ${formatMoney(price)}`,
    from: ({ sender, place }: { sender: string; place: string }) => `from ${sender}, ${place}`,
    field: ({ field, text }: { field: string; text: string }) => `${field} ${text}`,
    becomes: ({ field, old, now }: { field: string; old: string; now: string }) => `${field}: ${old} becomes ${now}`,
    fee: ({ fee }: { fee: number }) => `fee ${formatMoney(fee)}`,
    inEach: ({ parts }: { parts: string }) => `in each: ${parts}`,
    collects: ({ cash }: { cash: number }) => `collects ${formatMoney(cash)}`,
  },
  policy: {
    none: 'there is no policy: you decide about each plan',
    what: 'a policy',
    accept: 'Accept this policy?',
    changed: 'the file was changed meanwhile',
    editorFailed: 'the editor failed: nothing was accepted',
    open: ({ fault }: { fault: string }) => `${fault}: a policy belongs to its user alone`,
    notText: ({ file }: { file: string }) => `${file} is not UTF-8 text`,
    unreadable: ({ file, why }: { file: string; why: string }) => `${file} cannot be read: ${why}`,
    unknownName: ({ name }: { name: string }) => `${name} is not known`,
    field: ({ field, what }: { field: string; what: string }) => `${field} ${what}`,
    faults: ({ file, faults }: { file: string; faults: readonly string[] }) => `${file}: ${faults.join('; ')}`,
    /** What a value of it must be. */
    must: {
      command: 'must be a command, such as ship',
      text: 'must be text',
      list: 'must be a list',
      whole: 'must be a whole number',
      positive: 'must not be negative',
      one: 'must be 1',
    },
    oneDocument: ({ file }: { file: string }) => `${file}: it must be one document`,
    gone: ({ file }: { file: string }) => `${file} was accepted, and is not there any more`,
    notAccepted: ({ file }: { file: string }) => `${file} is not the policy that was accepted`,
    notNamed: 'the policy does not name it',
  },
};

export const say = textsIn('agents', agentsTexts);
