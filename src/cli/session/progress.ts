import type { Progress } from '../../action/ports.ts';
import { shownBaseUrl } from '../../client/base-url.ts';
import { withoutKeys } from '../../platform/settings/secret.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { InForce, ResolvedSettings } from '../../settings/in-force.ts';
import type { Context } from '../context.ts';
import { type GivenGlobals, isOn } from '../line/globals.ts';
import { type Advance, type Diagnostics, diagnosticsOf } from '../print/diagnostics.ts';
import { formatOf } from '../print/formats.ts';
import { say as sayOfTables } from '../print/texts.ts';

/** The global flags, with their values, by which a command acts for the same account as this run. */
export type Scope = readonly (readonly [flag: string, value: string])[];

const isGiven = (setting: InForce<unknown> | undefined) =>
  setting?.origin === 'flag' || setting?.origin === 'environment';

/** The scope of a run; a profile that is the only one needs no name. */
export function scopeOf(settings: ResolvedSettings, { profiles }: Settings): Scope {
  const { profileName, profile, as, baseUrl, shop } = settings;
  const isNamed = profile !== undefined && (isGiven(profileName) || Object.keys(profiles).length > 1);
  const needed = [
    ['profile', isNamed ? profileName?.value : undefined],
    ['shop', isGiven(shop) ? (shop?.written ?? shop?.value) : undefined],
    ['as', isGiven(as) && as?.value !== profile?.kind ? as?.value : undefined],
    [
      'base-url',
      isGiven(baseUrl) && baseUrl !== undefined && baseUrl.value !== profile?.base_url
        ? shownBaseUrl(baseUrl.value)
        : undefined,
    ],
  ] as const;
  return needed.flatMap(([flag, value]) => (value === undefined ? [] : [[flag, withoutKeys(value, [])] as const]));
}

/** A wait that a person does not notice. */
const PATIENCE_MS = 1000;
const STEP_MS = 1000;

/** Whether to show progress: a line that rewrites itself only helps a person at a terminal. */
function isWatched({ stderr, env }: Context, globals: GivenGlobals, settings: ResolvedSettings): boolean {
  return (
    stderr.isTerminal &&
    globals.quiet !== true &&
    !settings.noInput.value &&
    formatOf(settings.output.value).forPeople === true &&
    !isOn(env.CI) &&
    env.TERM !== 'dumb'
  );
}

type Of = Parameters<Progress['came']>[1];

/** What has arrived, in words; with how much is left where it is known how much there will be. */
function counting(clock: Context['clock']) {
  let began = { at: 0, records: 0 };
  let now: { readonly records: number; readonly of: Of; readonly list?: string | undefined } = {
    records: 0,
    of: undefined,
  };
  const perMsNow = () => (now.records - began.records) / (clock.now() - began.at);
  return {
    came(records: number, of?: Of, list?: string) {
      // Another step counts from its own beginning.
      if (of?.all !== now.of?.all || records < now.records) began = { at: clock.now(), records };
      now = { records, of, list };
    },
    /** The same for a program. */
    advance(message: string): Advance {
      const { records, of, list = 'records' } = now;
      return { what: list, done: records, total: of?.all ?? null, failed: of?.failed ?? null, message };
    },
    /** Undefined before anything arrived. */
    text(): string | undefined {
      const { records, of, list } = now;
      if (records === 0) return undefined;
      const texts = sayOfTables().progress;
      if (of === undefined) {
        const reported = texts.soFar({ records });
        return list === undefined ? reported : texts.ofList({ list, reported });
      }
      const reported = texts.of({ records, all: of.all, failed: of.failed });
      const perMs = perMsNow();
      return perMs > 0 ? texts.left({ reported, seconds: Math.ceil((of.all - records) / perMs / 1000) }) : reported;
    },
    /** Whether it says how long it will take. */
    saysEnd: () => now.records > 0 && now.of !== undefined && perMsNow() > 0,
  };
}

const SELDOM_MS = 30_000;

/** For a log that nobody watches: a line every half minute of a long work; a person's only if its end is known. */
function everyHalfMinute({ clock }: Context, diagnostics: Diagnostics): Progress['came'] {
  const count = counting(clock);
  let reportedAt: number | undefined;
  return (records, of, list) => {
    count.came(records, of, list);
    if (of === undefined && !diagnostics.isForPrograms) return;
    reportedAt ??= clock.now();
    if (clock.now() - reportedAt < SELDOM_MS) return;
    reportedAt = clock.now();
    void diagnostics.progress(count.advance(count.text() ?? ''));
  };
}

/**
 * A progress line on stderr with the seconds waited and the records received, removed before anything else is written:
 * it is visible only while waiting for a response, so it never mixes with the result or a question.
 */
export function progressOf(context: Context, globals: GivenGlobals, settings: ResolvedSettings): Progress {
  const { clock, stderr } = context;
  const diagnostics = diagnosticsOf(context);
  const say: Progress['say'] = (message, about) => diagnostics.notice({ message, about });
  if (!isWatched(context, globals, settings)) {
    const came = globals.quiet === true ? () => {} : everyHalfMinute(context, diagnostics);
    return { during: (work) => work(), came, say };
  }
  const count = counting(clock);
  let waitedMs = 0;
  let isShowing = false;
  diagnostics.before = () => (isShowing ? '\r\u001b[K' : '');

  const line = (beganAt: number) => {
    const seconds = Math.floor((waitedMs + clock.now() - beganAt) / 1000);
    const reported = count.text();
    if (reported === undefined) return sayOfTables().progress.waiting({ seconds });
    return count.saysEnd() ? reported : sayOfTables().progress.after({ reported, seconds });
  };

  /** Shows the line until the signal is aborted, then removes it. */
  async function show(beganAt: number, over: AbortSignal): Promise<void> {
    let isThere = false;
    try {
      if (waitedMs < PATIENCE_MS) await clock.wait(PATIENCE_MS - waitedMs, over);
      while (!over.aborted) {
        isThere = true;
        await stderr.write(`\r${line(beganAt)}\u001b[K`);
        await clock.wait(STEP_MS, over);
      }
    } catch (error) {
      if (!over.aborted) throw error;
    } finally {
      if (isThere) await stderr.write('\r\u001b[K');
    }
  }

  return {
    say,
    came: count.came,
    async during(work) {
      if (isShowing) return work();
      isShowing = true;
      const beganAt = clock.now();
      const over = new AbortController();
      // A progress line that cannot be shown does not concern the command.
      const shown = show(beganAt, over.signal).catch(() => {});
      try {
        return await work();
      } finally {
        over.abort();
        await shown;
        waitedMs += clock.now() - beganAt;
        isShowing = false;
      }
    },
  };
}
