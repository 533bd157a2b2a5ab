import { resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { kindsOfTests } from './kinds.ts';

/** The long ones first: at the end, when a core finds nothing more to do, it waits for a short one. */
const order = ['proof-long', 'proof-apart', 'proof', 'quick-apart', 'quick'];
const slow = new Set(kindsOfTests(false).slow.map((file) => resolve(file)));

const place = ({ project, moduleId }: TestSpecification) =>
  order.indexOf(project.name) + (slow.has(moduleId) ? 0 : 0.5);

/** Runs the projects' tests in that order, in a project those first that start processes, and else in vitest's own. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => place(one) - place(other));
  }
}
