import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The long ones first: at the end, when a core finds nothing more to do, it waits for a short one. */
const order = ['proof-long', 'proof-apart', 'proof', 'apart', 'slow', 'fast'];

/** Runs the projects' tests in that order, and those of a project in vitest's own. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => order.indexOf(one.project.name) - order.indexOf(other.project.name));
  }
}
