import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { Action } from '../action/action.ts';
import type { AgentStart, ConsoleStart, RunningConsole } from '../action/ports.ts';
import type { Served } from '../console/served.ts';
import type { ConsoleOptions } from '../console/start.ts';
import type { Fields } from '../domain/json/values.ts';
import { type Language, type Spoken, speak, speakAs, spokenNow } from '../domain/language.ts';
import { consolesIn } from '../platform/files/paths.ts';
import { portTaken } from './errors/usage-error.ts';
import type { Invocation } from './flags/command.ts';
import type { GivenGlobals } from './line/globals.ts';
import { newReport, portsOf } from './run/ports.ts';
import { addressOfRunning, remember } from './session/running-consoles.ts';
import { openSession } from './session/session.ts';

/** A port in use is reported with what to do about it. */
function asStartMistake(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return error;
  return portTaken(port);
}

/** What is served, loaded with the first request: a sandbox that nobody looks at is ready as soon as without a console. */
function onDemand(load: () => Promise<Served>): Served {
  let loaded: Promise<Served> | undefined;
  const served = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    catalogue: async (at, left) => (await served()).catalogue(at, left),
    form: async (id) => (await served()).form(id),
    run: async (id, request, left, early) => (await served()).run(id, request, left, early),
    reported: async (receipt) => (await served()).reported(receipt),
    watch(changed) {
      const begun = served().then((actions) => actions.watch(changed));
      return () => void begun.then((end) => end());
    },
    receive: async (piece) => (await served()).receive(piece),
    file: async (id) => (await served()).file(id),
    end: async () => (await loaded)?.end(),
  };
}

/**
 * Speaks to each request in its language: as the page was switched, else as it is chosen, else as the browser prefers; until it is
 * ended, since what follows each request through all its promises makes the promises of the whole process dearer.
 */
function perRequest(vietnamese: Spoken, chosen: Language | undefined, always: Spoken | undefined) {
  const requests = new AsyncLocalStorage<{ readonly spoken: Spoken | undefined }>();
  const usual = spokenNow();
  speakAs(() => {
    const request = requests.getStore();
    return request === undefined ? usual : request.spoken;
  });
  const speaking: ConsoleOptions['speaking'] = ({ switched, preferred }, work) =>
    requests.run({ spoken: always ?? ((switched ?? chosen ?? preferred) === 'vi' ? vietnamese : undefined) }, work);
  return { speaking, end: () => requests.disable() };
}

/** Serves the account of an invocation to a browser, or that of another profile. */
export async function startConsole(invocation: Invocation, start: ConsoleStart): Promise<RunningConsole> {
  const { session } = invocation;
  const { transport = invocation.context.transport } = start;
  const context = { ...invocation.context, transport };
  const profile = start.profile ?? session.settings.profileName?.value;
  // The profile stays the one that the console was started for, whichever becomes the current one.
  const globals = { ...session.globals, ...(profile === undefined ? {} : { profile }) };
  const own = { ...invocation, context, session: await openSession(context, globals) };
  const { settings } = own.session;
  const { as, shop } = settings;
  // And so does a partner's shop: what is agreed to on a page is done for the shop that the page has shown.
  const served = { ...globals, ...(as?.value === 'partner' && shop !== undefined ? { shop: shop.value } : {}) };
  const place = { profile: profile ?? '', port: start.port };
  const known = start.isShared === true ? await addressOfRunning(own, place) : undefined;
  if (known !== undefined) return { url: known, isOwn: false, close: async () => {} };
  const ended = new AbortController();
  const [{ startConsole: serve, listenForPages }, { vietnamese }] = await Promise.all([
    import('../console/index.ts'),
    import('./vietnamese.ts'),
  ]);
  const pages = onDemand(async () => {
    const [{ serveActions }, { storedFiles }, { meansOf }] = await Promise.all([
      import('../console/run/served.ts'),
      import('../console/run/files.ts'),
      import('./lent.ts'),
    ]);
    const directory = join(consolesIn(own.session.places), `${new URL(running.origin).port}-files`);
    const kept = storedFiles(directory, context.randomBytes);
    return serveActions({ means: meansOf(own, served), kept }, ended.signal);
  });
  const { speaking, end } = perRequest(vietnamese, settings.lang?.value, context.spoken);
  const options = { port: start.port, listen: listenForPages, randomBytes: context.randomBytes, speaking };
  const running = await serve(pages, options).catch((error: unknown) => {
    throw asStartMistake(error, start.port);
  });
  const forget = await remember(own, { ...place, origin: running.origin, token: running.token });
  return {
    url: running.address(),
    isOwn: true,
    async close() {
      ended.abort();
      await forget();
      await running.close();
      await pages.end();
      end();
    },
  };
}

/** The account of an invocation as it is now, whichever profile or shop becomes the current one. */
function pinned({ session: { globals, settings } }: Invocation): GivenGlobals {
  const { profileName, as, shop } = settings;
  return {
    ...globals,
    output: 'json',
    ...(profileName === undefined ? {} : { profile: profileName.value }),
    ...(shop === undefined || as?.value !== 'partner' ? {} : { shop: shop.value }),
  };
}

/** Plans a write that an agent types, or carries out what was planned and is allowed. Throws a Refusal otherwise. */
export async function writeAsAgent(invocation: Invocation, action: Action, input: Fields): Promise<Fields> {
  const [{ writeByPlan }, { meansOf }] = await Promise.all([import('../agents/apply.ts'), import('./lent.ts')]);
  const means = meansOf(invocation, pinned(invocation));
  return writeByPlan({ means, isPersonal: true, signal: invocation.context.signal }, action, input);
}

/** Serves the account of an invocation to an agent on stdin and stdout. Throws a Refusal if its policy was not accepted. */
export async function serveToAgents(invocation: Invocation, { isPersonal }: AgentStart): Promise<void> {
  const { context, session } = invocation;
  // An agent is a program, whatever its user reads.
  speak(undefined, context.clock.now());
  const [{ serveAgents }, { meansOf }, { skill, topicNames, topicText }] = await Promise.all([
    import('../agents/server.ts'),
    import('./lent.ts'),
    import('./help/topics.ts'),
  ]);
  const topics = topicNames.map((name) => [`shopctl://help/${name}`, topicText(name, context.version) ?? '']);
  const lines = context.stdin.lines?.() ?? [];
  await serveAgents(
    { means: meansOf(invocation, pinned(invocation)), isPersonal, signal: context.signal },
    {
      wire: { lines, write: (line) => context.stdout.write(line) },
      documents: { 'shopctl://skill': skill(context.version), ...Object.fromEntries(topics) },
      ports: portsOf(
        { ...invocation, session },
        newReport(async () => {}),
      ),
    },
  );
}
