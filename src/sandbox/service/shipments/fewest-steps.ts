/** The position of a shipment or delivery: a state and its substate. */
interface Place {
  readonly state: string;
  readonly substate?: string;
}

/**
 * The shortest sequence of steps, at least one, from a place to one where `arrived` holds; undefined if there is none.
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
