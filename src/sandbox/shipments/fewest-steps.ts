/** The place of something that moves: a state, and what is said of it there. */
interface Place {
  readonly state: string;
  readonly substate?: string;
}

/**
 * The steps from a place to where `arrived` holds, the fewest there are and at least one; undefined where no steps lead
 * there.
 */
export function fewestSteps<Step extends Place>(
  from: Step,
  next: (here: Step) => readonly Step[],
  arrived: (step: Step) => boolean,
): readonly Step[] | undefined {
  const seen = new Set<string>();
  const paths: (readonly Step[])[] = [[]];
  for (const path of paths) {
    const here = path.at(-1) ?? from;
    if (path.length > 0 && arrived(here)) return path;
    for (const step of next(here)) {
      const name = `${step.state} ${step.substate ?? ''}`;
      if (!seen.has(name)) paths.push([...path, step]);
      seen.add(name);
    }
  }
  return undefined;
}
