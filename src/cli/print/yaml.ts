import { jsonSafe, makeSafe } from '../../platform/terminal/text-safety.ts';
import { toJson } from './json.ts';
import type { Writer } from './rows.ts';
import { projectionOf, writeEach, writeOne } from './rows.ts';

/** YAML of a value. Strings that YAML 1.1 or 1.2 would parse as another type (ids, times, `N`) are quoted. */
export type ToYaml = (value: unknown) => string;

/**
 * Loads the YAML writer. Control and bidi characters become escapes in double quotes: the text parses to the same
 * value.
 */
export async function loadYaml(): Promise<ToYaml> {
  const { Document, visit } = await import('yaml');
  return (value) => {
    try {
      return yamlOf(value);
    } catch (error) {
      // Nested deeper than the stack: JSON, which is valid YAML, can be written at any depth.
      if (!(error instanceof RangeError)) throw error;
      return `${toJson(value)}\n`;
    }
  };

  function yamlOf(value: unknown): string {
    const document = new Document(value ?? null, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
    visit(document, {
      Scalar(_, node) {
        if (typeof node.value === 'string' && needsQuotes(node.value)) node.type = 'QUOTE_DOUBLE';
      },
    });
    return jsonSafe(document.toString({ lineWidth: 0 }).replace(beyondSixteenBits, inEightDigits));
  }
}

const beyondSixteenBits = /[\u{10000}-\u{10ffff}]/gu;

/** Unlike JSON, YAML has no surrogate-pair escapes. */
function inEightDigits(character: string): string {
  if (makeSafe(character) === character) return character;
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/** A lone `=` has its own type in YAML 1.1, which the writer does not know. */
function needsQuotes(text: string): boolean {
  return text === '=' || makeSafe(text, 'keep') !== text;
}

/** Results as YAML. */
export const yaml: Writer = {
  async list({ rows }, settings, stdout) {
    const [toYaml, project] = [await loadYaml(), projectionOf(settings)];
    const count = await writeEach(rows, (row) => toYaml([project(row)]), stdout);
    if (count === 0) await stdout.write('[]\n');
    return count;
  },
  record: async ({ value }, settings, stdout) => writeOne((await loadYaml())(projectionOf(settings)(value)), stdout),
};
