import { formatMoney } from '../../domain/amounts/money.ts';
import { textsIn } from '../../domain/language.ts';

/** A command to type. */
interface Typed {
  readonly command: string;
}

/** Commands or flags of which one is typed. */
interface Ways {
  readonly ways: readonly string[];
}

interface Named {
  readonly names: readonly string[];
}

const or = (ways: readonly string[]) => ways.join(' or ');
const quoted = (commands: readonly string[]) => commands.map((command) => `\`${command}\``);

/** What people read of this subject: what went wrong, and what to type next. */
export const errorsTexts = {
  /** What an action advises. */
  advice: {
    beginWithSetup: 'there is no key here: start with `shopctl auth setup`',
    chooseOf: ({ ways }: Ways) => or(quoted(ways)),
    lookForKeys: 'see which keys there are with `shopctl auth status --offline`',
    openSignInPage:
      'once the owner has signed in at sign_in_url, the browser shows an error page: that is expected. Copy the shop_id from its address, and run `shopctl auth login --shop-id ID`',
    signInAsOwner: ({ command }: Typed) =>
      `or in another terminal, as the owner of a shop of the sandbox: \`${command}\``,
    removeProfile: ({ command }: Typed) => `the API key of the profile is still there: \`${command}\` removes it`,
    signInNewShop:
      'check the id; a shop that is new to this partner signs in with `shopctl auth login`, without --shop-id',
    signShopIn: 'sign a shop in with `shopctl auth login`',
    seeOrders: 'see your orders with `shopctl orders list`',
    waitForShop:
      "the service gave no sign-in page: the owner signs in where `shopctl auth login` runs at a terminal, or on a page of yours that gives the token to the service's sign-in component; then complete it with --shop-id",
    actAsShop: 'add --as shop, or set SHOPCTL_AS=shop',
    askForKey: 'ask the operator for a valid key',
    checkProxy: 'check HTTPS_PROXY and HTTP_PROXY',
    checkService: 'is the service running, and the base url right?',
    closeSettings: '`shopctl doctor --fix` closes it to other users',
    lookAtKeys: '`shopctl auth status` shows each key',
    nameShop: ({ command }: Typed) => `give it a name here with \`${command}\``,
    noPermissionsHere: 'this file system has no file permissions',
    comparePayments: '`shopctl cod reconcile` compares them',
    seeSettled: '`shopctl report cod` has that by day',
    seeWebhooks: '`shopctl webhooks status` shows why, and when the next attempt is',
    recoverAll: '`shopctl webhooks recover --all` replaces them, too',
    repairMirror: '`shopctl mirror sync --full` repairs what differs',
    sendChanged: ({ cancel, isMore, run }: { cancel: string; isMore: boolean; run: string }) =>
      `an order stays as it was sent; before its parcel is picked up, \`${cancel}\` cancels it${isMore ? ' (and so each of the others)' : ''}, and \`${run}\` sends the row as it is now`,
    seeAllEvents: '--all shows them, --limit that many',
    settleRow: ({ command }: Typed) =>
      `check at the service, then record for each unclear row what you found: \`${command} --done\` or \`--not-done\``,
    renewMirror: '`shopctl mirror sync` renews it',
    syncMirror: '`shopctl mirror sync` copies the shop',
    startSandbox: ({ command }: Typed) => `start it with \`${command}\``,
    startOneSandbox: ({ command }: Typed) => `start one with \`${command}\``,
    tryHere: 'To try one on this machine, leave with Ctrl-C and run `shopctl sandbox start`.',
    resumeDraft: ({ command }: Typed) => `continue with \`${command}\``,
    giveKey: ({ command }: Typed) => `give it one with \`${command}\`, or set SHOPCTL_API_KEY`,
    setClock: 'set the clock of this machine',
    setUpKey: 'set up a profile with `shopctl auth setup`, or set SHOPCTL_API_KEY',
    chooseState: 'make it writable, or set SHOPCTL_STATE_DIR to a directory that is',
    chooseConfig: 'make it writable, or set SHOPCTL_CONFIG_DIR to a directory that is',
    ownSettings: ({ command }: Typed) => `give it back to yourself: ${command}`,
    installSqlite: ({ global, local }: { global: string; local: string }) =>
      `with python3, make and g++ installed, \`${global}\` installs it beside a global shopctl, and \`${local}\` in a checkout`,
    rebuildSqlite: ({ global, local, isOffline }: { global: string; local: string; isOffline: boolean }) =>
      `with python3, make and g++ installed, \`${global}\` builds it for a global shopctl, and \`${local}\` in a checkout${isOffline ? '; no network is needed' : ''}`,
    sendAgain: ({ command }: Typed) => `\`${command}\` sends them again, unchanged`,
    seeLedger:
      '`shopctl ledger list` shows them; check at the service, then `shopctl ledger settle ID --done` or `--not-done`',
    startListener: 'start one with `shopctl webhooks listen --register`',
    lookAtDeliveries:
      'the clock is frozen, or an earlier delivery is tried again first; `shopctl sandbox deliveries` shows them',
    makeChange: 'the command that creates, updates or deletes one makes it: `shopctl commands` lists them',
    fixRows: ({ list, retry }: { list: string; retry: string }) =>
      `\`${list}\` lists them; once they are fixed in the file, \`${retry}\` sends them`,
    nameRows: ({ list, retry }: { list: string; retry: string }) =>
      `\`${list}\` lists them; once they have an external_id of their own, \`${retry}\` sends them`,
    raiseLimit: ({ command }: Typed) => `\`${command}\` sends them within a higher limit`,
    freeSpace: 'free some space: a full disk stops batches and listeners',
    setUpProfile: 'make one with `shopctl auth setup`, or `shopctl sandbox start`',
    useBackup: ({ command }: Typed) =>
      `set up a profile with \`shopctl auth setup\`, and use the copy with \`${command}\``,
    signInAgain: 'sign in again with `shopctl auth login`',
  },
  /** What an error advises by itself. */
  advised: {
    forgetDraft: ({ command }: Typed) => `\`${command}\` removes it; then the same order can be sent again`,
    findOutByDraft: ({ command }: Typed) => `\`${command}\` checks whether it was created, and never ships it twice`,
    sendDraftAnew: ({ command }: Typed) => `nothing was sent; \`${command}\` sends it as a new order`,
  },
  /** What to do about an error, by its code. */
  hint: {
    bug: 'this is a bug in shopctl; --debug shows where',
    bugInBatch:
      'this is a bug in shopctl; --debug shows where; the same again looks up first what was sent; `shopctl ledger list` shows what nobody knows',
    sums: '`shopctl totals fill FILE` completes the sums of an order',
    sheets: ({ sheets }: { sheets: string }) => `--sheet NAME reads another sheet of the workbook: ${sheets}`,
    columnsOfOther: ({ flag }: { flag: string }) => `these are columns of another command: add ${flag}`,
    ignoreColumns: '--ignore-columns leaves columns out',
    mapColumns: ({ command }: Typed) => `\`${command}\` maps the columns to fields`,
    network: {
      refused: 'is the service running, and the base url right?',
      unresolved: 'check the host of the base url and the network',
      plain: 'an http address is only used on this machine: is the port of the base url right?',
      tls: 'a certificate of your own authority can be given with NODE_EXTRA_CA_CERTS',
      proxy: 'check HTTPS_PROXY, HTTP_PROXY and NO_PROXY',
      timeout: 'a longer limit can be given with --timeout',
      other: 'is the service running and the address right? `shopctl config list --show-origin` shows the address',
    },
    wait: ({ seconds }: { seconds: number }) => `the service asks to wait ${seconds} s before the next attempt`,
    partnerKey:
      'set up a profile with `shopctl auth setup`, or set SHOPCTL_API_KEY to the API key that the operator gave the partner',
    shopKey: 'connect a shop with `shopctl auth login`, choose one with --shop, or set SHOPCTL_SHOP_KEY',
    ownKey: "use a profile of the kind shop, or set SHOPCTL_AS=shop and SHOPCTL_API_KEY to the shop's own API key",
    mirrorFull: 'free some space, then sync again: it continues after the last page that was stored',
    mirrorBusy: 'once it has ended, run the same again; `shopctl mirror status` shows how far it is',
    mirrorDamaged: '`shopctl mirror forget` deletes it, and then `shopctl mirror sync` copies the shop again',
    sqlNames: '`shopctl mirror tables` lists the tables and views, `shopctl mirror schema` their columns',
    codUnknown: 'see `shopctl cod list`',
    codOtherCarrier:
      '`--session NAME` gives the file a session of its own, `shopctl cod forget FILE` deletes the other one',
    codAmbiguous: 'name one by its id',
    codClosed: ({ command }: Typed) => `\`${command}\` opens it again`,
    unauthenticated: 'the key was not accepted: see `shopctl auth status`, or sign in again with `shopctl auth login`',
    baseUrl: 'give it as https://HOST, with --base-url, SHOPCTL_BASE_URL or in the profile',
    keyElsewhere: ({ command }: Typed) => `add a profile for it with \`${command}\``,
    sentBefore:
      'nothing was sent; --again sends another order like it; an external_id of its own tells equal orders apart',
    feeAboveMax: 'nothing was sent; `shopctl quote` lists the offers',
    badRoute:
      'is the base url right (it ends before /v1), and the operation one of those that `shopctl commands` lists?',
    feeChanged: 'nothing was sent; --yes with --max-fee accepts a changed fee up to that limit',
    chooseFormat: ({ formats }: { formats: string }) => `choose one with --format: ${formats}`,
    chooseHeaderRow: '--header-row says which row names the columns',
    readSo: ({ command }: Typed) => `\`${command}\` reads it so`,
    makeLayout: ({ command }: Typed) => `\`${command}\` makes a layout from its headers`,
    makeLayoutOrRead: ({ command }: Typed) =>
      `\`${command}\` makes a layout from its headers; --layout vtp reads by position`,
    sqlite: ({ cure }: { cure: string }) => `${cure}; Node 22.13 and newer need nothing`,
    workspaceElsewhere:
      '`shopctl workspace move` moves it to the workspace in use; or set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE to use the other one',
    workspaceNewer:
      'use the version that wrote it; or set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE to another place for this one',
    workspaceOlder:
      'keep it for that version, and set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE to another place for this one',
    workspaceMoved:
      'set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE to the new location; `shopctl workspace move` moves it back here if this is a file',
    workspaceRestored: 'run the same command again: it first looks up what may have been sent since',
    workspaceIo:
      'is its disk full or failing, or the limit of file sizes (ulimit -f) too low? After that, run the same command again',
    workspaceFull: 'free some space, then run the same command again: it first checks what was sent',
    differs: 'if it is another record, an external_id of its own says so',
    alreadyOver: 'nothing was sent; --again sends it as a new one',
    notShipped: ({ command }: Typed) => `\`${command}\` confirms it`,
    otherFamily: 'nothing was sent; --again sends it with this key, too',
    otherAddress: ({ same, separate }: { same: string; separate: string }) =>
      `say whether they are one: \`${same}\`, or \`${separate}\``,
    heldBy: ({ holder }: { holder: string }) => `\`shopctl batch resume\` checks whether it was created (${holder})`,
    heldByWrite: ({ command }: Typed) =>
      `check at the service, then record the answer with \`${command} --done\` or \`--not-done\``,
    draftNotFound: 'see `shopctl ship drafts list`',
    batchNotFound: 'see `shopctl batch list`',
    writeNotFound: '`shopctl ledger list` shows the writes whose outcome is unknown',
    see: ({ command }: Typed) => `see \`${command}\``,
    draftElsewhere: 'choose the profile of that account with --profile',
    rowElsewhere: '`shopctl batch settle BATCH ROW --done` or `--not-done` settles it',
  },
  /** What to do about a failure, by the profile in force. */
  profile: {
    mayBeOfShop: "if SHOPCTL_API_KEY is a shop's own key, add --as shop or set SHOPCTL_AS=shop",
    notAccepted: ({ variable }: { variable: string }) => `${variable} holds a key that this service does not accept`,
    notAcceptedOfPartner: ({ variable }: { variable: string }) =>
      `${variable} holds a key that this service does not accept from a partner: if SHOPCTL_API_KEY is a shop's own key, add --as shop or set SHOPCTL_AS=shop`,
    linkRemoved: ({ command }: Typed) => `the shop may have removed its link: sign it in again with \`${command}\``,
    otherKeys: ({ start }: { start: string }) => `its sandbox has other keys by now: ${start}, which saves them`,
    setKey: ({ command }: Typed) => `give it another key with \`${command}\``,
    signedIn: '`shopctl sandbox exec --signed-in -- COMMAND` begins with one',
    otherProfile: ({ ways }: Ways) => `there is such a key in another profile: ${or(ways)}`,
    useAlways: ({ command }: Typed) => `\`${command}\` uses the key of that profile from now on`,
    isOfPartner: ({ profile, command }: Typed & { profile: string }) =>
      `the profile ${profile} is a partner's; one of the kind shop is added with \`${command}\``,
    isOfShop: ({ profile, command }: Typed & { profile: string }) =>
      `the profile ${profile} is a shop's own; one of the kind partner is added with \`${command}\``,
    use: ({ ways }: Ways) => `use ${or(ways)}`,
    leaveShop:
      'leave out --shop and SHOPCTL_SHOP to act for the shop of the key, or choose another profile with --profile',
    goOnThere: ({ command }: Typed) => `continue it there: \`${command}\``,
    sandboxStopped: ({ start }: { start: string }) => `the sandbox is not running: ${start}`,
    malformed: ({ variable }: { variable: string }) =>
      `${variable} holds it: set it to the key alone, a single word without a line break`,
  },
  /** What a refusal says on a command line, by its code. */
  refusal: {
    policyNotAccepted: 'read it and accept it with `shopctl agents policy accept`, at a terminal',
    policyInvalid: 'fix it with `shopctl agents policy edit`, at a terminal',
    batchUnfinished: ({ command }: Typed) => `\`${command}\` goes on with it`,
    plans: '`shopctl approve --list` shows the plans that wait',
    approvalNeeded: ({ command }: Typed) =>
      `somebody at a terminal runs \`${command}\`; then run the same command again`,
    personRuns: ({ command }: Typed) => `the user can run \`${command}\``,
    give: ({ flag }: { flag: string }) => `give ${flag}`,
    signShopIn: ({ command }: Typed) => `sign it in with \`${command}\``,
    noShop: 'no shop is signed in: `shopctl auth login` signs one in',
    shops: ({ names }: Named) => `the shops are: ${names.join(', ')}`,
    shopMeant: ({ near, names }: Named & { near: string }) =>
      `did you mean ${near}? the shops are: ${names.join(', ')}`,
    settingMust: ({ setting, must }: { setting: string; must: string }) => `${setting} must be ${must}`,
    settings: ({ names }: Named) => `the settings are: ${names.join(', ')}`,
    settingNotKept: ({ ways, names }: Ways & Named) => `give it with ${or(ways)}; a profile keeps ${names.join(', ')}`,
    addProfile: 'make one with `shopctl profiles add NAME`',
    profiles: ({ names }: Named) => `the profiles are: ${names.join(', ')}`,
    profileMismatch: ({ variable }: { variable: string }) => `unset ${variable}, or leave out --profile`,
    profileNotFresh: ({ names }: Named) =>
      `its profiles are ${names.join(', ')}: choose one with --profile or SHOPCTL_PROFILE`,
    settingElsewhere: ({ flag }: { flag: string }) =>
      `${flag} cannot be honoured: the command runs against a fresh sandbox`,
    leaveOut: ({ flag }: { flag: string }) => `leave out ${flag}`,
    profileOfShop: 'name a partner’s profile with --profile',
    profileOfOther: 'name the profile to save it in with --profile, or add one with `shopctl profiles add NAME`',
    profileElsewhere: 'name another profile with --profile',
    shopOrAll: 'either a shop or --all, not both',
    shopUnsaid: 'which shop? name its id, or --all',
    keyToNobody: 'this prints a key: add --yes to confirm',
    nobodyToAsk: 'use `shopctl profiles add NAME --base-url URL --kind partner --api-key-stdin < FILE`',
    costsMoney: 'this costs money: add --yes to confirm',
    flagMissing: ({ flag }: { flag: string }) => `${flag} is missing`,
    nameUnknown: ({ flag }: { flag: string }) => `${flag} of the list searches names, phones and codes`,
    nameUnlisted: ({ command }: Typed) => `\`${command}\` searches names, phones and codes`,
    nameShared: 'give its id',
    pickedUp: '--order-only cancels the order alone: what was picked up stays as it is',
    notPickedUp: 'without --order-only the order is cancelled, and its parcel with it',
    pickFlag: '--pick WHICH (or a service in the order)',
    orderMissing: ({ flags }: { flags: readonly string[] }) =>
      `shopctl cannot ask here: ${flags.join(', ')} ${flags.length > 1 ? 'are' : 'is'} missing`,
    skeleton: '`shopctl shipping create --skeleton` prints an order to fill in',
    messageMissing: 'paste it on a terminal, or give it on stdin: `shopctl ship --paste`',
    draftOrOrder: '--resume continues a draft: leave out --input and --answers',
    questionUnanswered: 'without a terminal, the answers, --pick and --yes must say everything',
    draftInDoubt: ({ draft }: { draft: string }) =>
      `draft ${draft} may have shipped, and without the draft you cannot find out: add --yes to remove it`,
    lookForOrder: 'look for its order at the service first',
    settles: ({ command }: Typed) => `\`${command}\` settles it`,
    keyMalformed: 'a key is a single word: give it alone, without a second line',
    keyRefused: 'copy it again; nothing was saved, and --no-check saves a key without checking it',
    keyOfOtherKind: ({ flag }: { flag: string }) =>
      `it is accepted as one of the other kind: give ${flag}; nothing was saved`,
    keyUntried:
      'is the service running and the address right? Nothing was saved; --no-check saves the key without checking it',
    noAccount: 'choose a profile with a key, or set SHOPCTL_API_KEY or SHOPCTL_SHOP_KEY',
    keyMissing: 'give it on stdin, with --api-key-stdin',
    mappingExists: 'replace it with --replace, or choose another name',
    profileExists: 'replace it with --replace',
    noProfile: 'make one with `shopctl profiles add NAME --base-url URL`',
    noProfileNamed: 'name one: `shopctl profiles show NAME`',
    keysStay: 'add a profile for the other one with `shopctl profiles add NAME --base-url URL`',
    addressMissing: '--base-url is missing',
    noService:
      'start one here with `shopctl sandbox start`, or name yours with `shopctl profiles add NAME --base-url URL`',
    oneOf: ({ names }: Named) => `one of: ${names.join(', ')}`,
    commandMeant: ({ command }: Typed) => `did you mean \`${command}\`?`,
    jsonOrYaml: 'use -o json or -o yaml',
    hasTable: ({ command }: Typed) => `\`${command}\` has one; -o json shows the answer`,
    operationPath: 'it looks like shop.Order/GetOrder; `shopctl commands` lists the operations',
    bothGiven: ({ names }: Named) => `${names.join(' and ')} cannot be given together`,
    rowsAgain: '--again sends all of them as new records',
    rowsShared: ({ flag }: { flag: string }) =>
      `${flag} treats equal rows as sent by that batch and sends the others; --again sends all of them as new records`,
    mapConstants: ({ command }: Typed) => `\`${command}\` asks once for what no column has`,
    skipBad: 'fix the file, or leave those rows out with --skip-bad',
    resendByName: 'give --resend-ended ORDER, for each of them',
    resendUnknown:
      '--resend-ended takes undone, cancelled, returned, undeliverable, or the name of an order of the file',
    statusUnreadable:
      "give --status 'WORD=ship' or --status 'WORD=skip', and --payment 'WORD=cash' or --payment 'WORD=paid'",
    questionsOpen: ({ questions, flags }: { questions: string; flags: readonly string[] }) =>
      `nothing was done: ${questions}; answer with ${flags.join(', ')}`,
    terminalAsks: 'at a terminal shopctl asks; --yes answers none of these',
    noFittingOffer: 'change the conditions, or leave those rows out with --skip-bad',
    recordsGone: ({ command }: Typed) => `\`${command}\` forgets what was sent there; then the file can be run again`,
    recordsOpen: ({ command }: Typed) =>
      `\`${command}\` lists rows that may still be on their way: look for them at the service; then the file can be run with --again, as new records`,
    backupByServer: '`pg_dump --format=custom --file=FILE URL` does',
    ofAllShops: 'leave out --shop',
    ofOtherShop: 'leave out --shop and SHOPCTL_SHOP, or name its shop',
    shopOfPartner: "leave out --shop and SHOPCTL_SHOP, or use a shop's own key with --as shop",
    workbookChanged: 'write the result to another file with --to',
    planStale: 'plan it again',
    batchElsewhere: 'choose the profile of that account with --profile, and its shop with --shop',
    add: ({ flags }: { flags: string }) => `add ${flags}`,
    batchOpen: ({ command }: Typed) => `\`${command}\` waits for it, or continues it`,
    rows: ({ command }: Typed) => `\`${command}\` lists its rows with their states`,
    batchUnclear: ({ resume, rows }: { resume: string; rows: string }) =>
      `\`${resume}\` looks the rows up again; \`${rows}\` says how to settle each`,
    optionsDiffer: 'leave the options out: a batch keeps those that it was started with',
    ordersUnsaid: 'name ORDERs, or give --today, or --batch, which is the latest one without a BATCH',
    printerMissing: 'write a file with --to FILE instead of --print, and print that with a program of yours',
    toMissing: 'give --to FILE, or --print',
    fileMissing: 'give a FILE, or a plan with --plan',
    /** A field and what is wrong with it. */
    field: ({ field, what }: { field: string; what: string }) => `${field} ${what}`,
  },
  /** The report of an error. */
  report: {
    /** What went wrong, by its code, where the service or the way to it has said it in its own words. */
    failure: ({ message }: { code: string; message: string }) => message,
    error: ({ message, code }: { message: string; code: string | undefined }) =>
      `shopctl: error: ${message}${code === undefined ? '' : ` (${code})`}`,
    severalFields: ({ count }: { count: number }) => `${count} fields are wrong`,
    moreFields: ({ count }: { count: number }) => `… and ${formatMoney(count)} more; -o json lists all of them`,
    field: ({ field, what }: { field: string; what: string }) => `${field} ${what}`,
    hint: ({ hint }: { hint: string }) => `hint: ${hint}`,
    keyRefused: 'the service does not accept this key',
    check: 'check whether it was created before you send it again',
    settle: ({ command }: Typed) => `\`${command} --done\` or \`--not-done\` records what you found`,
    unknown: 'It may have been carried out.',
    partial: 'Part of it was carried out.',
    applied: 'It was carried out.',
    drift: (drift: {
      path: string;
      operation: string;
      expected: string;
      seen: string;
      others: number;
      show: string;
    }) => {
      const { path, operation, expected, seen, others, show } = drift;
      const where = path === '' ? `the answer of ${operation}` : `${path} in the answer of ${operation}`;
      const more = others === 0 ? '' : ` There ${others === 1 ? 'is 1 more' : `are ${others} more`} like it.`;
      return `The service no longer answers as its contract says: ${where} should be ${expected}, and was ${seen}.${more} \`${show}\` shows it, \`shopctl drift list\` all of them.`;
    },
    signalled: ({ signal }: { signal: string }) => `ended by ${signal}`,
    signalledUnknown: ({ signal }: { signal: string }) => `${signal} came before it was known whether a write was done`,
  },
  /** How to find out what became of a write. */
  findOut: {
    created: ({ command }: Typed) => `\`${command}\` shows whether it was created`,
    applied: ({ command }: Typed) => `\`${command}\` shows whether it was applied`,
    thenCheck: ({ way }: { way: string }) => `${way}; check before you send it again`,
    thenUnderName: ({ way }: { way: string }) => `${way}; send it again only under that external_id`,
  },
  readOnly: {
    writes: ({ what, origin }: { what: string; origin: string }) =>
      `${what} writes, and only reading is allowed (${origin})`,
    flag: 'nothing was sent; leave out --read-only to write',
    environment: 'nothing was sent; SHOPCTL_READ_ONLY is set: unset it to write',
    locked: 'nothing was sent; `shopctl config set read_only false`, at a terminal, unlocks it',
    profile: 'nothing was sent; `shopctl config set read_only false` lets the profile write',
  },
  /** What is wrong with a line as it was typed, and with the files that it names. */
  line: {
    unknownFlag: ({ flag }: { flag: string }) => `unknown option '${flag}'`,
    unknownCommand: ({ word }: { word: string }) => `unknown command '${word}'`,
    missingArgument: ({ name }: { name: string }) => `missing required argument '${name}'`,
    flagLacks: ({ flag }: { flag: string }) => `option '${flag}' argument missing`,
    tooMany: ({ command, most, given }: { command: string; most: number; given: number }) =>
      `too many arguments for '${command}'. Expected ${most} argument${most === 1 ? '' : 's'} but got ${given}.`,
    usage: ({ command }: { command: string }) => `Usage: ${command}`,
    didYouMean: ({ names }: Named) =>
      names.length === 1 ? `did you mean ${names[0]}?` : `did you mean one of ${names.join(', ')}?`,
    noHelp: ({ words }: { words: string }) => `no help for ${JSON.stringify(words)}`,
    needsCommand: ({ words }: { words: string }) => `${words} needs a command`,
    nameByFlag: ({ command }: { command: string }) => `give a name with --name: \`${command}\``,
    jsonTakesNone: 'use -o json --fields FIELD,FIELD: --json takes no fields',
    contradict: ({ flag, other }: { flag: string; other: string }) => `${flag} and ${other} contradict each other`,
    tooMuch: ({ words, topic }: { words: string; topic: string }) =>
      `${JSON.stringify(words)} is too much: the topic is ${topic}`,
    oneTopic: 'give the name of one topic',
    notText: ({ flag, word }: { flag: string | undefined; word: string }) =>
      `${flag === undefined ? 'an argument' : `the value of ${flag}`} is not UTF-8 text: ${word}`,
    giveText: 'a terminal, shell or script of another encoding wrote it: give it in UTF-8',
    atFile: '@ is followed by the name of a file; a text that begins with @ is written with two: @@text',
    doubtfulNumber: ({ number }: { number: string }) =>
      `${number} can be read in more than one way: write it without a point, or in quotes`,
    notJson: 'is not JSON',
    noPair: ({ part }: { part: string }) => `${JSON.stringify(part)} is not of the form key=value`,
    noField: ({ name }: { name: string }) => `no field is named ${JSON.stringify(name)}`,
    fields: ({ names }: Named) => `the fields are: ${names.join(', ')}`,
    twice: ({ name }: { name: string }) => `${name} appears twice`,
    twoValues: ({ name }: { name: string }) => `${name} has two different values`,
    longRequest: ({ name }: { name: string }) => `${name} is longer than any request`,
    oneObject: ({ name }: { name: string }) => `${name} must hold one object, a request`,
    columnTwice: ({ name, column }: { name: string; column: string }) => `${name}: the column ${column} appears twice`,
    columnBeyond: ({ name, column, most }: { name: string; column: string; most: number }) =>
      `${name}: the column ${column} is beyond ${most} entries`,
    longFile: ({ name, most }: { name: string; most: number }) => `${name} is longer than ${most} characters`,
    asLines: 'write its orders as JSON lines',
    manyOrders: ({ name, most }: { name: string; most: number }) => `${name} has more than ${most} orders`,
    split: 'split it',
    entryNoOrder: ({ name, entry }: { name: string; entry: number }) => `${name}: entry ${entry} is no order`,
    noOrder: ({ name }: { name: string }) => `${name}: it holds no order`,
    entryOnLine: ({ name, line }: { name: string; line: number }) => `${name}, entry on line ${line}`,
    yaml: ({ name, why }: { name: string; why: string }) => `${name}: ${why}`,
    oneDocument: ({ name, count }: { name: string; count: number }) =>
      `${name} must hold one document, and has ${count}`,
    tooDeep: ({ name }: { name: string }) => `${name}: is nested too deeply`,
    stdinOnce: 'stdin (-) can be read for one value only',
  },
  /** What somebody types who knows other tools, and what it is here. */
  meant: {
    noReturn:
      'the service takes no request for a return, and repays nobody: until a parcel is picked up, `shopctl orders cancel ORDER --cancel-reason TEXT` stops it; one that the buyer does not accept comes back by itself (`returning`, `returned`); what was delivered comes back only as the buyer and you agree. `shopctl orders story ORDER` shows how it stands',
    toFile: 'a list is written to a file by its own command: `shopctl orders list --to orders.xlsx`',
    match: 'each list takes --match: `shopctl orders list --match TEXT`',
    upgrade: 'install the newer package in the place of this one; `shopctl --version` says which this is',
    noAlias: 'there are no aliases: your shell has them',
    noChange:
      'the service cannot change an order: until its parcel is picked up, `shopctl orders cancel ORDER --cancel-reason TEXT` cancels it, and `shopctl ship` ships it again with what is right',
    shipCode: ({ confirm }: { confirm: string }) =>
      `\`shopctl ship\` asks for a new order, also in place of one that was cancelled; what was typed before is in \`shopctl ship drafts list\`; \`${confirm}\` ships an order that was only created`,
    stop: 'Ctrl-C stops a batch; `shopctl batch resume` goes on with it',
    use: ({ flag }: { flag: string }) => `use ${flag}`,
    format: '-o json, -o csv or another format',
    query: '--query, which takes a JMESPath expression',
    console: '`shopctl console --open`, which shows the shop in a browser',
    queryOrMatch: '--query, or --match for a text',
    keyElsewhere: 'SHOPCTL_API_KEY: a key is never given by a flag, where others could read it',
  },
  /** The comments of a request to fill in. */
  skeleton: {
    title: ({ title }: { title: string }) =>
      `${title}: fill in the open fields. Lines that begin with # are not sent; remove the # and one blank to use one.`,
    needed: 'needed',
    list: '[a, list]',
    names: '{name: value}',
  },
  portTaken: ({ port }: { port: number }) => `port ${port} is taken`,
  otherPort: 'choose another with --port, or 0 for a free one',
  /** Why a sandbox does not start, or stop. */
  sandbox: {
    beside: ({ stop }: { stop: string }) =>
      `use that one, stop it with \`${stop}\`, or give this one a --name of its own`,
    runsAlready: ({ name, at }: { name: string; at: string }) => `the sandbox ${name} is already running, at ${at}`,
    isBeingStarted: ({ name }: { name: string }) => `the sandbox ${name} is being started`,
    stillRuns: ({ name, pid }: { name: string; pid: number }) =>
      `the sandbox ${name} was asked to stop, but is still running (process ${pid})`,
    seeRunning: '`shopctl sandbox status` lists those that run',
    ended: 'the sandbox ended before it was ready',
    saidBefore: ({ text }: { text: string }) => `it said: ${text}`,
    foreignProfile: ({ profile, at }: { profile: string; at: string }) =>
      `profile ${profile} leads to ${at}, and a sandbox of that name would replace it`,
    otherName: 'give the sandbox another --name',
    unwritten: ({ why }: { why: string }) => `the record of the sandbox cannot be written: ${why}`,
    makeWritable: 'make its directory writable, or set SHOPCTL_STATE_DIR to one that is',
    dataInUse: ({ path }: { path: string }) => `another sandbox has this data open: ${path}`,
    otherData: 'use that one (`shopctl sandbox status`), or other data: --data DIR, --name NAME, --ephemeral',
    seed: ({ at, why }: { at: string; why: string }) => `the seed is wrong at ${at === '' ? 'its top' : at}: ${why}`,
  },
  noSandbox: 'no sandbox runs',
  noSandboxNamed: ({ name }: { name: string }) => `no sandbox ${name} runs`,
};

export const say = textsIn('errors', errorsTexts);
