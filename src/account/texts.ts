import { textsIn } from '../domain/language.ts';

const whose = { partner: "a partner's", shop: "a shop's own" } as const;

type Kind = keyof typeof whose;

/** What people read of this subject. */
export const accountTexts = {
  keys: {
    noneSent: 'dry run: no key was sent',
    noShop: ({ advice }: { advice: string }) => `no shop is signed in: ${advice}`,
    shopUnknown: ({ shop }: { shop: string }) => `shop ${shop} is not signed in`,
    actingFor: ({ shop }: { shop: string }) => `acting for ${shop}`,
    shopOrAll: 'either one shop or all of them, not both',
    whichShop: 'which shop? none is selected',
    forgotten: ({ shop }: { shop: string }) => `forgot the key of ${shop}`,
    allForgotten: 'forgot the key of every shop',
    noneRevoked: 'nothing was revoked: a key stays valid until the shop removes its link with the partner',
    toNobody: 'a key is shown only in a terminal, after a confirmation',
    printApiKey: 'Print the API key in clear text? Anyone who sees it can use it.',
    printShopKey: ({ shop }: { shop: string }) =>
      `Print the key of shop ${shop} in clear text? Anyone who sees it can use it.`,
    notPrinted: 'not confirmed, nothing was printed',
    noShopKey: 'no shop key is saved',
    noApiKey: 'no API key is saved',
  },
  settings: {
    emptyVariable: ({ name }: { name: string }) =>
      `${name} is set, but empty: it is not used here, and commands that call the service refuse it`,
    unknown: ({ name }: { name: string }) => `no setting is named ${name}`,
    notKept: ({ name }: { name: string }) => `a profile does not keep ${name}`,
    keysStay: 'the keys of this profile belong to its present address and go to no other',
    readOnly: ({ name, held }: { name: string; held: string }) =>
      `changing ${name} writes the settings, and only reading is allowed (${held})`,
    unlock: 'read_only is locked, for every profile. Unlock it?',
    staysLocked: 'not confirmed, read_only stays locked',
    mustBe: ({ name, expected }: { name: string; expected: string }) => `${name} must be ${expected}`,
    refused: ({ name, why }: { name: string; why: string }) => `${name} is refused: ${why}`,
    required: ({ name }: { name: string }) => `a profile needs a ${name}`,
  },
  login: {
    linkRemoved: ({ shop }: { shop: string }) => `shop ${shop} removed its link with the partner`,
    signsInAgain: ({ shop }: { shop: string }) =>
      `shop ${shop} removed its link with the partner: it has to sign in again`,
    signsInOnceMore: ({ shop }: { shop: string }) =>
      `shop ${shop} has removed its link with the partner: it has to sign in again`,
    /** What the service says of a shop whose id was typed. */
    refused: ({ reason }: { reason: string }) => reason,
    notYet: ({ shop }: { shop: string }) => `shop ${shop} has not signed in yet`,
    componentUnsafe: 'the sign_in_component_url of the profile must be https, or on this machine',
    noPage: 'The service gave no sign-in page, and the profile has no sign_in_component_url.',
    withToken: 'Let the shop sign in with this request token on a page of your own:',
    onPage: 'Sign the shop in on this page:',
    opened: 'It should be open in your browser now.',
    renew: 'The request has expired. Ask for a new one?',
    notSignedIn: ({ advice }: { advice: string }) => `not signed in, and nothing was saved: ${advice}`,
    noPageHere: ({ why }: { why: string }) => `No page can be opened on this machine: ${why}`,
    waiting: ({ left }: { left: string }) => `${left} left. Waiting for the shop, or type its id:`,
    idIsNumber: 'an id is a number',
    whichShop: 'Which shop?',
    anotherShop: 'another shop',
    done: ({ shop }: { shop: string }) => `signed in: orders are now shipped for ${shop}`,
    savedIn: ({ profile, address }: { profile: string; address: string }) =>
      `the key is saved in the profile ${profile}, for ${address}`,
    denied: "the shop's owner denied the request",
    expired: 'the request has expired before a shop signed in',
    noService: ({ advice }: { advice: string }) => `No service is set up yet. ${advice}`,
    /** What the service answered to a sign-in, where its contract allows no such answer. */
    broken: {
      noToken: 'the answer of AuthorizeShop has no auth_token',
      noShop: 'AuthorizeShop answered a shop key, and no shop was named',
      otherShop: ({ other, shop }: { other: string; shop: string }) =>
        `AuthorizeShop answered a key of shop ${other}, and shop ${shop} was asked for`,
      type: ({ type }: { type: string }) =>
        `AuthorizeShop answered a type that is neither shop_request nor shop_key: ${type}`,
      noDate: 'AuthorizeShop answered an expires_in that no date has',
      unsafePage: 'AuthorizeShop answered a sign-in page that is neither https nor on this machine',
    },
  },
  profiles: {
    unknown: ({ name }: { name: string }) => `there is no profile ${name}`,
    noneSelected: 'no profile is selected',
    addressMissing: 'the address of the service is missing',
    exists: ({ name }: { name: string }) => `the profile ${name} already exists`,
    noKey: ({ advice }: { advice: string }) => `the profile has no key: ${advice}`,
    keyMissing: 'the API key is missing',
    isCurrent: ({ name }: { name: string }) => `${name} is now the current profile`,
    made: ({ name, advice }: { name: string; advice: string }) => `${name} is now the current profile; ${advice}`,
    removing: 'removing a profile',
    remove: ({ name }: { name: string }) => `Remove the profile ${name} and its keys?`,
    removed: ({ name }: { name: string }) => `removed ${name}; its keys stay valid at the service`,
    choose: ({ advice }: { advice: string }) => `no profile is selected now: choose one with ${advice}`,
    ofShop: ({ name }: { name: string }) => `the profile ${name} is a shop's own: it needs no sign-in`,
    elsewhere: ({ name, address, other }: { name: string; address: string; other: string }) =>
      `the profile ${name} belongs to ${address}, and this key to ${other}`,
    ofOther: ({ name }: { name: string }) => `the profile ${name} has another partner's key: nothing was saved in it`,
  },
  key: {
    noAnswer: 'no answer',
    untried: ({ why }: { why: string }) => `the key could not be tried: ${why}`,
    refused: ({ kind, why }: { kind: Kind; why: string }) =>
      `the service does not accept the key as one of a ${kind}: ${why}`,
    malformed: 'the key contains a space, a line break or another character that a header cannot carry',
    empty: 'stdin held no key',
    ask: 'API key (empty for none)',
    askHidden: 'API key (not shown)',
    hasSpaces: 'a key contains no spaces',
    isOther: ({ kind }: { kind: Kind }) => `It is ${whose[kind]} API key. Save it as that?`,
    saveUntried: 'Save the key without checking it?',
  },
  setup: {
    needsName: 'a profile needs a name',
    nameTaken: 'a profile of that name exists',
    name: 'Name of the profile',
    address: 'Address of the service',
    kind: 'Whose API key is it?',
    partner: "a partner's: it ships for shops that sign in",
    shop: "a shop's own",
    component: "Script of the service's sign-in component (empty if you have none)",
    componentUnsafe: 'an https address, or one on this machine',
    nobody: 'setting up a profile needs a terminal to ask questions',
    nothingAsked: 'dry run: nothing was asked, nothing was saved',
  },
  /** The page that a shop signs in on, in a browser. */
  page: {
    connect: 'Connect a shop',
    before: "Sign in as the shop's owner. This part of the page comes from ",
    after: '.',
    needsScript: "The sign-in needs JavaScript. You can also sign in elsewhere and type the shop's id in the terminal.",
    loading: 'Loading …',
    terminalAway: 'The terminal does not answer. If it still waits there, type the id of the shop.',
    notLoaded: 'The sign-in of the service could not be loaded. Reload this page to try again.',
    typeId: 'The shop signed in. Type its id in the terminal.',
    says: 'The sign-in says: ',
    noShop: { title: 'No shop was named', text: 'The service returned without the id of a shop.' },
    denied: { title: 'Access was denied', text: 'The terminal has been informed. You can close this page.' },
    granted: { title: 'The shop signed in', text: 'The rest happens in the terminal. You can close this page.' },
    nothing: { title: 'There is nothing here', text: 'Open the address that the terminal shows, whole.' },
    ended: { title: 'This sign-in has ended', text: 'Start a new one where this one was started.' },
    notForYou: 'This is not for you',
    ownRequests: 'This page only accepts its own requests.',
    otherAddress: 'This page has another address.',
  },
};

export const say = textsIn('account', accountTexts);
