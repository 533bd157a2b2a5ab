import type { ConsoleStart, RunningConsole } from '../../actions/action/ports.ts';
import { ConfigurationError } from '../errors/usage-error.ts';
import type { Invocation } from '../flags/command.ts';
import { openSession } from '../session/session.ts';
import { consoleMeans } from './means.ts';

/** A port in use is reported with what to do about it. */
function asStartMistake(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return error;
  return new ConfigurationError(`port ${port} is taken`, 'choose another with --port, or 0 for a free one');
}

/** Serves the account of an invocation to a browser, or that of another profile. */
export async function startConsole(invocation: Invocation, start: ConsoleStart): Promise<RunningConsole> {
  const { context, session } = invocation;
  const profile = start.profile ?? session.settings.profileName?.value;
  // The profile stays the one that the console was started for, whichever becomes the current one.
  const globals = { ...session.globals, ...(profile === undefined ? {} : { profile }) };
  const own = { ...invocation, session: await openSession(context, globals) };
  const ended = new AbortController();
  const [{ startConsole: serve, listenForPages }, { serveActions }] = await Promise.all([
    import('../../console/index.ts'),
    import('../../console/run/served.ts'),
  ]);
  const served = serveActions(consoleMeans(own, globals), ended.signal);
  const options = { port: start.port, listen: listenForPages, randomBytes: context.randomBytes };
  const running = await serve(served, options).catch((error: unknown) => {
    throw asStartMistake(error, start.port);
  });
  return {
    url: running.address(),
    isOwn: true,
    async close() {
      ended.abort();
      await running.close();
    },
  };
}
