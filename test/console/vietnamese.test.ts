import { expect, it } from 'vitest';
import { groups } from '../../src/cli/tree/groups.ts';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { formOf } from '../../src/console/run/closed-set.ts';
import { consoleTexts } from '../../src/console/texts.ts';
import type { JsonSchema } from '../../src/contract/schema/json-schema.ts';

/** Sentences that are the same in both languages: formulas of fields. */
const isFormula = (sentence: string) => /^[a-z_]+(?: [-+] [a-z_]+)+$/.test(sentence);

/** Labels that are the same in both languages. */
const alike: ReadonlySet<string> = new Set(['email', 'file', 'id', 'sandbox', 'country_code']);

/** The fields of a form, those within records among them. */
function fieldsOf({ properties, items }: JsonSchema): readonly (readonly [name: string, field: JsonSchema])[] {
  const own = Object.entries(properties ?? {});
  return [...own, ...own.flatMap(([, field]) => fieldsOf(field)), ...(items === undefined ? [] : fieldsOf(items))];
}

it('has every action, every field and every explanation of its pages in Vietnamese', async () => {
  const { sentence, label } = vietnamese.textsOf('console', consoleTexts);
  const loaded = await Promise.all(groups.map((group) => group.load()));
  const actions = loaded
    .flatMap(({ commands }) => commands.flatMap((command) => command.actions))
    .filter(({ page }) => page !== undefined);
  const fields = actions.flatMap((action) => fieldsOf(formOf(action).schema));
  const told = [
    ...actions.flatMap(({ summary, description }) => [summary, description]),
    ...fields.map(([, { description }]) => description),
  ].filter((text) => text !== undefined && text !== '');
  const untold = told.filter((text) => text !== undefined && sentence(text) === text && !isFormula(text));
  expect([...new Set(untold)]).toEqual([]);
  const unnamed = fields.map(([name]) => name).filter((name) => label(name) === undefined && !alike.has(name));
  expect([...new Set(unnamed)]).toEqual([]);
  expect(told.length).toBeGreaterThan(1000);
});
