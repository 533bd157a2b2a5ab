import type { Front } from '../../actions/ports.ts';
import { groupIndex } from '../group-index.ts';

/** What the command line says of itself; all of it is loaded when it is asked for. */
export const front: Front = {
  commands: async () => (await loadTree()).commands.map((command) => ({ ...command })),
  tree: async () => ({ ...(await loadTree()) }),
  groups: () => groupIndex.map(({ name }) => name),
  async actionsOf(group) {
    const { groups } = await import('../groups.ts');
    const { commands } = (await groups.find(({ name }) => name === group)?.load()) ?? { commands: [] };
    return commands.flatMap(({ actions = [] }) => actions);
  },
  completionScript: async (shell) => (await import('../complete/scripts.ts')).completionScript(shell),
};

async function loadTree() {
  return (await import('../tree.ts')).loadTree();
}
