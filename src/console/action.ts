import * as z from 'zod';
import { action, silence } from '../action/action.ts';
import { say as ofAction } from '../action/texts.ts';
import { flag, int } from '../contract/schema/scalars.ts';
import { say } from './texts.ts';

const DEFAULT_PORT = 4030;
const LAST_PORT = 65_535;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((end) => {
    if (signal.aborted) end();
    else signal.addEventListener('abort', () => end(), { once: true });
  });

const show = action({
  id: 'console',
  words: ['console'],
  summary: 'Show the shop and the sandbox in a browser',
  description:
    'Until Ctrl-C. Serves a page for the current profile on 127.0.0.1, with everything that can be done from a page; each button shows its command. The printed address works once: --open gets a new one, also from a console that runs already. With -o json the first line has the address.',
  examples: ['shopctl console --open', 'shopctl console --profile sandbox-shop', 'shopctl console --port 0 --json'],
  effect: 'store',
  mayAlso: ['write', 'spend', 'destroy'],
  undo: { whyNot: 'what was done from its pages has its own undo' },
  needs: [],
  input: z.object({
    port: z.optional(
      int('port on 127.0.0.1', 'TCP')
        .refine((port) => port >= 0 && port <= LAST_PORT, { error: () => ofAction().port({ most: LAST_PORT }) })
        .meta({ description: `port on 127.0.0.1, 0 for a free one; ${DEFAULT_PORT} when absent` }),
    ),
    open: z.optional(flag('open it in the browser')),
  }),
  output: silence,
  async run({ port = DEFAULT_PORT, open = false }, { startConsole, intend, report, browser, signal }) {
    intend({ port, open });
    const running = await startConsole({ port, isShared: open });
    const opened = open && (await browser.open(running.url)).opened;
    const { started } = say();
    await report.ready({ event: 'ready', url: running.url }, [
      started.at({ url: running.url }),
      opened ? started.opened : started.open,
      running.isOwn ? started.ctrlC : started.elsewhere,
    ]);
    if (!running.isOwn) return undefined;
    try {
      await aborted(signal);
    } finally {
      await running.close();
    }
    return undefined;
  },
});

/** The console: the actions in a browser. */
export const actions = [show];
