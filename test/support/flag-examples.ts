import { allSettings } from '../../src/settings/in-force.ts';

/** A value for each global flag of a setting that takes one, by the flag's name; those of a test take precedence. */
export const flagExamples = (own: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    allSettings.flatMap(([, { flag, type }]) =>
      flag === undefined || type.isSwitch === true ? [] : [[flag.name, type.example]],
    ),
  ),
  ...own,
});
