import * as z from 'zod';
import { action } from '../../action/action.ts';
import { paymentFile } from '../../cod/actions/sandbox-payment-file.ts';
import { log } from '../../contract/control/operations.ts';
import { flag } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { asInputError, controlActions } from './control.ts';
import { sandboxField, sandboxHint } from './name.ts';
import { exec, start } from './start-actions.ts';
import { openapi, status, stop } from './state.ts';
import { trigger } from './trigger.ts';

/** Long-poll interval of a follower, if no request arrives. */
const WAIT_MS = 25_000;

const shown: View = log.view ?? { columns: [] };

/** Without column headings a bare "yes" says nothing. */
const asItComes: View = { ...shown, columns: shown.columns.filter(({ kind }) => kind !== 'flag') };

/** The requests that the sandbox has received. */
const followLog = action({
  id: 'sandbox.log',
  words: ['sandbox', 'log'],
  summary: log.summary,
  description: log.description ?? '',
  examples: log.examples,
  effect: 'read',
  needs: ['sandbox'],
  page: {
    about: 'record',
    aboutWith: { writes: true },
    call(row) {
      const { operation, request } = fieldsIn(row);
      return typeof operation === 'string' ? { operation, body: request } : undefined;
    },
    news: {
      input: { follow: true, limit: 0, writes: true },
      of: ['key', 'sandbox'],
    },
  },
  input: z.object({
    ...log.input.shape,
    follow: z.optional(flag('then print each request as it arrives, until Ctrl-C')),
    ...sandboxField,
  }),
  output: log.output.shape.entries,
  view: ({ follow }) => (follow === true ? asItComes : shown),
  live: ({ follow }) => follow === true,
  hints: { ...log.hints, follow: { short: 'f' }, ...sandboxHint },
  async *run({ sandbox, follow, limit, ...filter }, { sandboxes, signal }) {
    const control = await sandboxes.control(sandbox);
    let page = await control.call(log, { ...filter, limit }).catch((error: unknown) => {
      throw asInputError(error, log);
    });
    yield* page.entries;
    while (follow === true && !signal.aborted) {
      try {
        page = await control.call(log, { ...filter, since: page.next, wait_ms: WAIT_MS });
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      yield* page.entries;
    }
  },
});

/** A sandbox of the whole service on this machine. */
export const actions = [start, exec, stop, status, openapi, ...controlActions, trigger, paymentFile, followLog];
