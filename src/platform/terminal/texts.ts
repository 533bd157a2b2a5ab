import { textsIn } from '../../domain/language.ts';

/** The path of a file, or what stands for it, as it is shown. */
interface Path {
  readonly path: string;
}

/** The system's code, empty where there is none. */
interface Code {
  readonly code: string;
}

interface Why {
  readonly why: string;
}

interface Host {
  readonly host: string;
}

interface Proxy {
  readonly proxy: string;
}

interface Seconds {
  readonly seconds: number;
}

interface Name {
  readonly name: string;
}

interface Place {
  readonly place: string;
}

interface Program {
  readonly program: string;
}

const inBrackets = (code: string) => (code === '' ? '' : ` (${code})`);

/** What the questions of a terminal say by themselves, and what is wrong with files, settings and the way to a service. */
export const platformTexts = {
  yes: 'Yes',
  no: 'No',
  /** Refuses any other answer. */
  yesOrNo: 'answer y or n',
  /** Behind a menu that is longer than the screen. */
  moreBelow: ({ hidden }: { hidden: number }) => `${hidden} more below`,
  /** Below the choices that are shown. */
  more: ({ below }: { below: number }) => `${below} more`,
  nothingFound: 'No results found',
  nothingMatches: 'nothing matches; ↓ goes to the choices',
  masked: 'input is masked',
  navigate: 'navigate',
  select: 'select',
  /** Files and streams that cannot be read or written. */
  file: {
    none: ({ path }: Path) => `no such file: ${path}`,
    noDirectory: ({ path }: Path) => `no such directory for ${path}`,
    belowFile: ({ path }: Path) => `${path} lies under something that is not a directory`,
    isDirectory: ({ path }: Path) => `${path} is a directory`,
    mayNotRead: ({ path }: Path) => `no permission to read ${path}`,
    mayNotWrite: ({ path }: Path) => `no permission to write ${path}`,
    readOnly: ({ path }: Path) => `${path} lies on a read-only file system`,
    full: ({ path }: Path) => `no space left to write ${path}`,
    tooLarge: ({ path, mebibytes }: Path & { mebibytes: number }) => `${path} is larger than ${mebibytes} MiB`,
    limit: ({ path }: Path) => `the limit of file sizes (ulimit -f) is too low for ${path}`,
    loop: ({ path }: Path) => `${path} is a link that leads back to itself`,
    longName: ({ path }: Path) => `the name ${path} is too long`,
    unread: ({ path, code }: Path & Code) => `${path} could not be read (${code})`,
    unwritten: ({ path, code }: Path & Code) => `${path} could not be written (${code})`,
    notText: ({ path, byte }: Path & { byte: number }) => `${path} is not UTF-8 text: byte ${byte} is wrong`,
    locked: ({ path, pid }: Path & { pid: number | undefined }) =>
      `${pid === undefined ? 'another process' : `process ${pid}`} holds the lock ${path}; if no shopctl is running, remove that file`,
    lockRemoved: ({ path }: Path) => `the lock ${path} was removed while it was held`,
    /** Standard input, in place of a path. */
    input: 'standard input',
    lineNotText: 'a line of standard input is not UTF-8 text',
    lineTooLong: 'a line of standard input is too long',
    outputUnwritten: ({ why }: Why) => `the output could not be written: ${why}`,
    noSpace: 'no space left',
  },
  /** Settings that cannot be used. */
  settings: {
    elsewhere: 'name another directory for the settings with SHOPCTL_CONFIG_DIR',
    notAbsolute: ({ variable }: { variable: string }) => `${variable} must be an absolute path`,
    noHome: 'no home directory was found for the settings',
    setDirectory: 'set SHOPCTL_CONFIG_DIR',
    noFile: ({ path }: Path) => `${path} is not a regular file`,
    noDirectory: ({ path }: Path) => `${path} is not a directory`,
    ofOther: ({ path, owner, user }: Path & { owner: number; user: number }) =>
      `${path} belongs to another user (${owner}; this is ${user})`,
    beThatUser: 'run shopctl as that user, or use a directory of your own with SHOPCTL_CONFIG_DIR',
    ownAgain: ({ otherwise }: { otherwise: string }) =>
      `a run as another user, with sudo, may have made it: give it back to yourself with chown, or ${otherwise}`,
    open: ({ path, mode }: Path & { mode: string }) => `${path} is open to other users (mode ${mode})`,
    link: ({ path }: Path) => `${path} is a symbolic link; keys are read and written only at their real path`,
    realPath: 'put the directory itself there, or name the real one with SHOPCTL_CONFIG_DIR',
    cut: ({ path }: Path) => `${path} could not be written whole; it is unchanged`,
    isFull: 'is the disk full, or the limit of file sizes (ulimit -f) too low?',
    inUse: ({ path, why }: Path & Why) => `${path} is in use: ${why}`,
    unwritten: ({ path, why }: Path & Why) => `${path} could not be written: ${why}`,
    noPermission: 'no permission',
    readOnly: 'a read-only file system',
    limit: 'the limit of file sizes (ulimit -f) is too low',
    makeWritable: 'make it writable, or set SHOPCTL_CONFIG_DIR to a directory that is',
    newer: ({ path, version, newest }: Path & { version: number; newest: number }) =>
      `${path} was written by a newer shopctl (version ${version} of the file; this one knows ${newest})`,
    installNewer: 'install the newer shopctl again, or use another directory with SHOPCTL_CONFIG_DIR',
    damaged: ({ path, fault }: Path & { fault: string }) => `${path} is damaged: ${fault}`,
    repair: 'repair the file by hand, or move it away to start over',
    must: ({ where, what }: { where: string; what: string }) => `${where} must be ${what}`,
    whole: 'the whole content',
    what: {
      version: 'a whole number from 1',
      object: 'an object',
      text: 'a text',
      kind: '"partner" or "shop"',
      readOnly: 'true or false, or "locked"',
    },
    notText: ({ byte }: { byte: number }) => `byte ${byte} is not UTF-8`,
    notJson: 'it is not JSON',
    tooDeep: ({ levels }: { levels: number }) => `it is nested deeper than ${levels} levels`,
    at: ({ fault, line, column }: { fault: string; line: number; column: number }) =>
      `${fault} at line ${line}, column ${column}`,
  },
  /** Why YAML cannot be read: in the words of its library, or for a reason of ours. */
  yaml: {
    library: ({ words }: { words: string }) => words,
    twice: 'Map keys must be unique',
    notText: 'A key must be a text',
    tooDeep: 'is nested too deeply',
    aliases: 'repeats too much by its aliases',
    time: 'takes too much time to read: save it as JSON',
    memory: 'takes too much memory to read: save it as JSON',
  },
  /** What happened on the way to a service. */
  network: {
    through: ({ host, proxy }: Host & Proxy) => `${host}, through the proxy ${proxy}`,
    refused: ({ host, code }: Host & Code) => `no connection to ${host}${inBrackets(code)}`,
    unresolved: ({ host, code }: Host & Code) => `the host ${host} was not found${inBrackets(code)}`,
    tls: ({ host, why, code }: Host & Why & Code) => `no secure connection to ${host}: ${why}${inBrackets(code)}`,
    plain: ({ host }: Host) => `${host} answers without TLS: it speaks http, not https`,
    speaksHttp: 'it speaks http, not https',
    noProxy: ({ proxy, code }: Proxy & Code) => `no connection to the proxy ${proxy}${inBrackets(code)}`,
    noSecureProxy: ({ proxy, why }: Proxy & Why) => `no secure connection to the proxy ${proxy}: ${why}`,
    proxyClosed: ({ proxy, host, code }: Proxy & Host & Code) =>
      `the proxy ${proxy} closed the connection to ${host}${inBrackets(code)}`,
    proxyLate: ({ proxy, seconds }: Proxy & Seconds) => `the proxy ${proxy} did not answer within ${seconds} s`,
    noProxyThere: ({ proxy }: Proxy) => `the proxy ${proxy} does not answer as a proxy`,
    proxyRefused: ({ proxy, host, status }: Proxy & Host & { status: string }) =>
      `the proxy ${proxy} refused to connect to ${host} (status ${status})${status === '407' ? ': it wants a user and a password, or others than its address has' : ''}`,
    proxyPage: ({ proxy, host }: Proxy & Host) =>
      `the proxy ${proxy} answered with a page instead of connecting to ${host}`,
    proxyHungUp: ({ proxy, host }: Proxy & Host) =>
      `the proxy ${proxy} closed the connection instead of connecting to ${host}`,
    proxyBroke: ({ proxy, host, code }: Proxy & Host & Code) =>
      `the proxy ${proxy} broke off instead of connecting to ${host} (${code})`,
    slow: ({ host, code }: Host & Code) => `${host} did not answer in time${inBrackets(code)}`,
    late: ({ host, seconds }: Host & Seconds) => `${host} did not answer within ${seconds} s`,
    lateThrough: ({ host, proxy, seconds }: Host & Proxy & Seconds) =>
      `${host}, through the proxy ${proxy}, did not answer within ${seconds} s`,
    longHeaders: ({ host, code }: Host & Code) =>
      `the headers of the answer from ${host} are too large${inBrackets(code)}`,
    tooLarge: ({ host, bytes }: Host & { bytes: number }) => `the answer from ${host} is larger than ${bytes} bytes`,
    notHttp: ({ host, code }: Host & Code) => `the answer from ${host} is not HTTP${inBrackets(code)}`,
    cut: ({ host, code }: Host & Code) =>
      `the connection to ${host} closed before the whole answer had arrived${inBrackets(code)}`,
    closed: ({ host }: Host) => `the connection to ${host} closed`,
    givenUp: ({ host }: Host) => `the request to ${host} was given up`,
    portTaken: ({ host, port }: Host & { port: number }) =>
      `cannot listen at ${host}:${port}: another program listens there`,
    noPort: ({ host, port, code }: Host & Code & { port: number }) => `cannot listen at ${host}:${port}: ${code}`,
  },
  /** Addresses of proxies and databases. */
  address: {
    proxyIn: ({ variable }: { variable: string }) => `the proxy in ${variable}`,
    workspace: 'the address of the workspace',
    none: ({ name }: Name) => `${name} is not a URL`,
    scheme: ({ name, scheme, usable }: Name & { scheme: string; usable: readonly string[] }) =>
      `${name} cannot be used: it starts with ${scheme}://, and only ${usable.join(' and ')} can be used`,
    faulty: ({ name, fault }: Name & { fault: string }) => `${name} cannot be used: it ${fault}`,
    fault: {
      backslash: 'has a backslash in its user or password',
      noUrl: 'is not a URL',
      percent: 'has a % in its user or password that encodes nothing',
      cut: 'has a character in its user or password that ends them',
      noHost: 'names no host',
    },
    like: ({ example }: { example: string }) => `write it like ${example}`,
    encoding: 'in a user or password write % as %25, @ as %40, : as %3A, / as %2F, # as %23, ? as %3F and \\ as %5C',
  },
  /** Programs, and what runs here. */
  program: {
    none: ({ program }: Program) => `there is no program ${program}`,
    unrun: ({ program, code }: Program & Code) => `${program} cannot be run (${code})`,
    interrupted: 'it was interrupted',
    tooMuchMemory: 'the expression takes more memory than there is',
  },
  /** A workspace that cannot be used, by the place where it is: a file, or a database. */
  workspace: {
    noFile: ({ place }: Place) => `${place} is no file`,
    full: ({ place }: Place) => `no space left to write ${place}`,
    fullThere: ({ place }: Place) => `no space left at ${place}`,
    io: ({ place }: Place) => `${place} could not be read or written`,
    damaged: ({ place }: Place) => `${place} is not a workspace, or is damaged`,
    keep: 'keep the file: it tells what was sent. Restore a backup, or set it aside',
    damagedThere: ({ place, why }: Place & Why) => `${place} is damaged: ${why}`,
    busy: ({ place }: Place) => `another program holds ${place}`,
    unwritten: ({ place, why }: Place & Why) => `${place} cannot be written: ${why}`,
    chooseState: 'make its directory writable, or set SHOPCTL_STATE_DIR to one that is',
    noLocks: ({ place, system }: Place & { system: string }) =>
      `${place} is on ${system}, where locks do not hold: two runs could send the same twice; nothing was sent`,
    onThisMachine:
      'set SHOPCTL_STATE_DIR to a directory on a disk of this machine, or the setting workspace to a postgres:// url, which several machines can share',
    must: 'the workspace must be like postgres://user@host:5432/database',
    withoutTls: ({ mode }: { mode: string }) => `the workspace is on another machine: sslmode=${mode} is refused`,
    withTls: 'leave out sslmode, or use verify-full; sslrootcert names the file of your own certificate authority',
    newer: ({ place, steps }: Place & { steps: readonly string[] }) =>
      `${place} was written by a newer shopctl (it knows ${steps.join(', ')}); nothing was changed`,
    older: ({ place }: Place) => `${place} was written by a version from before the first release; nothing was changed`,
    moved: ({ place }: Place) => `the workspace was moved to ${place}; nothing was read or written here`,
    restored: ({ place }: Place) => `${place} is a copy from earlier by now: nothing more was sent`,
    refusesLogin: ({ place, why }: Place & Why) => `${place} refuses the login: ${why}`,
    wantsPassword: ({ place }: Place) => `${place} asks for a password, and none was given`,
    givePassword: 'put the password in PGPASSWORD or ~/.pgpass',
    notTrusted: ({ place, why }: Place & Why) => `${place} is not trusted: ${why}`,
    giveAuthority: 'sslrootcert names the authority of your own certificate',
    noHost: ({ place }: Place) => `no host of that name is known: ${place}`,
    otherSpeech: ({ place, why }: Place & Why) => `${place} does not speak as we need it: ${why}`,
    noDatabase: ({ place }: Place) => `there is no such database: ${place}`,
    makeDatabase: 'make it with createdb',
    mayNotWrite: ({ place, why }: Place & Why) => `the role at ${place} may not write: ${why}`,
    away: ({ place, why }: Place & Why) => `${place} cannot be reached${inBrackets(why)}`,
    goOnLater: 'what was committed is safe; run the same command again when the server is back',
    notDurable: ({ place }: Place) => `${place} may lose in a power cut what was sent: its setting fsync is off`,
    turnOn: 'turn fsync on, or use another server',
    standby: ({ place }: Place) => `${place} is a standby, to which nothing can be written`,
    primary: 'give the address of the primary server',
    heldBy: ({ place }: Place) => `another program that holds ${place}`,
    databaseAt: ({ host }: Host) => `the database at ${host}`,
    thisMachine: 'this machine',
  },
};

export const say = /* @__PURE__ */ textsIn('platform', platformTexts);
