import type { Explained, UserInterface, Verdict } from '../action/ports.ts';
import { adviceInWords } from './errors/advice.ts';
import type { ExitName } from './errors/exit.ts';
import { groupIndex } from './help/group-index.ts';
import { reportOf } from './report/report.ts';

/** The verdict of a failure's exit code: a failure is never a success, and never a signal. */
function verdictOf(exit: ExitName): Verdict {
  return exit === 'success' || exit === 'hungUp' || exit === 'interrupted' || exit === 'terminated' ? 'failure' : exit;
}

function explain(error: unknown): Explained {
  const { message, hint, exit } = reportOf(error);
  return { message, hint, verdict: verdictOf(exit) };
}

/** What the command line says about itself; all of it is loaded on demand. */
export const ui: UserInterface = {
  advise: adviceInWords,
  explain,
  commands: async () => (await loadTree()).commands,
  tree: loadTree,
  groups: () => groupIndex.map(({ name }) => name),
  async actionsOf(group) {
    const { groups } = await import('./tree/groups.ts');
    const { commands } = (await groups.find(({ name }) => name === group)?.load()) ?? { commands: [] };
    return commands.flatMap(({ actions }) => actions);
  },
  completionScript: async (shell) => (await import('./complete/scripts.ts')).completionScript(shell),
};

async function loadTree() {
  return (await import('./tree/tree.ts')).loadTree();
}
