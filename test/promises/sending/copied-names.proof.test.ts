/* Copied names in sheets of the other kinds: `copied-names.test.ts` has one. */
import { copiedInASheet, kindsNamed } from './copied-name-cases.ts';

copiedInASheet(kindsNamed.filter((kind) => kind !== 'orders create'));
