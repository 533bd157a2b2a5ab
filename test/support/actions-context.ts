import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Choice, Person, Ports, Question, Verdict } from '../../src/action/ports.ts';
import { WriteLedger } from '../../src/client/ledger.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { nodeChildren } from '../../src/platform/process/node-children.ts';
import { listenOnLoopback } from '../../src/platform/server/http-server.ts';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import type { StoredProfile } from '../../src/platform/settings/settings.ts';
import { resolveSettings } from '../../src/settings/in-force.ts';
import { baseUrlOf, keyOf } from '../../src/settings/keys.ts';
import { fixedRandom } from './sandbox.ts';
import { standingClock } from './standing-clock.ts';

/** Answers a question for a test's person; undefined accepts the default. */
export type Answering = (question: Question & { readonly offered: readonly Choice[] }) => unknown;

/** The result of an action that was called without a command line. */
export interface Context {
  readonly ports: Ports;
  /** The names of the questions, in order. */
  readonly asked: readonly string[];
  readonly notices: readonly string[];
  /** The results before the last one. */
  readonly results: readonly unknown[];
  readonly verdicts: readonly Verdict[];
  /** What was printed besides questions. */
  readonly said: readonly string[];
}

/** A caller of actions: a front end without flags or a terminal. */
interface Calling {
  readonly transport: Transport;
  readonly profile: StoredProfile;
  /** Absent if nobody can be asked. */
  readonly answers?: Answering;
  readonly hasAgreed?: boolean;
}

/** The ports of a test front end, for actions called in this process. */
export async function actionsContext({ transport, profile, answers, hasAgreed = false }: Calling): Promise<Context> {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-actions-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [asked, notices, results, verdicts, said]: [string[], string[], unknown[], Verdict[], string[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  const clock = standingClock();
  const store = settingsIn(directory);
  const stored = await store.update(() => ({ version: 1, current_profile: 'test', profiles: { test: profile } }));
  const known = { formats: ['json'] };
  const settings = resolveSettings({ stored, given: {}, env: {}, known });
  const missing = (what: string) => (): never => {
    throw new TypeError(`${what} is not there`);
  };
  const person: Person = {
    isThere: answers !== undefined,
    hasAgreed,
    readsResult: false,
    async ask(question) {
      asked.push(question.name);
      const given = answers?.({ ...question, offered: question.choices ?? [] } as Parameters<Answering>[0]);
      if (given === undefined && question.initial === undefined)
        throw new RangeError(`there is no answer to ${question.name}`);
      return question.schema.parse(given ?? question.initial);
    },
    tell: async (text) => void said.push(text),
    show: async () => [],
    confirm: missing('an agreement'),
  };
  const ports: Ports = {
    clock,
    began: clock.now() + 1,
    random: () => 0.5,
    randomBytes: fixedRandom('actions'),
    files: nodeFiles,
    signal: new AbortController().signal,
    browser: { open: async () => ({ opened: false }) },
    listenOnLoopback,
    children: nodeChildren,
    env: {},
    user: () => 'tester',
    workingDirectory: directory,
    version: '0.0.0-test',
    known,
    isLook: false,
    readStdin: missing('stdin'),
    pollChanges: missing('a copy of the shop'),
    csv: {},
    settings,
    timeZone: () => settings.tz.value,
    store,
    afresh: missing('another run'),
    settingsIn,
    places: {
      config: directory,
      state: join(directory, 'state'),
      usualState: join(directory, 'state'),
      cache: join(directory, 'cache'),
    },
    person,
    progress: { during: (work) => work(), came: () => {}, say: async (line) => void said.push(line) },
    startConsole: missing('a console'),
    serveAgents: missing('an agent'),
    get sandboxes(): Ports['sandboxes'] {
      return missing('a sandbox')();
    },
    ui: {
      advise: (code) => `(${code})`,
      explain: (error) => ({ message: error instanceof Error ? error.message : String(error), verdict: 'failure' }),
      commands: missing('a list of commands'),
      tree: missing('a tree of commands'),
      groups: missing('a list of groups'),
      actionsOf: missing('a group of actions'),
      completionScript: missing('a shell'),
      skill: missing('a skill'),
    },
    report: {
      notice: (text) => void notices.push(text),
      alone: (text: string) => void notices.push(text),
      insist: (text) => void said.push(text),
      say: (text) => void said.push(text),
      verdict: (verdict) => void verdicts.push(verdict),
      ready: missing('what goes on'),
      passOn: missing('another program'),
      result: async (value) => void results.push(value),
      onceReported: () => {},
      rest: missing('a list'),
    },
    connection: () => ({
      baseUrl: baseUrlOf(settings),
      key: (credential) => keyOf(credential, settings, {}),
      transport,
      clock,
      random: () => 0.5,
      timeoutMs: 60_000,
      maxRetries: 0,
      userAgent: 'a front of its own',
      ledger: new WriteLedger(),
    }),
    intend: () => {},
  };
  return { ports, asked, notices, results, verdicts, said };
}
