import { exactIntegers } from '../../domain/json/exact-integers.ts';
import { type RecordSheet, SheetError, type SheetSource } from './sheet.ts';
import { wholeText } from './text-of.ts';

/** Reads YAML: a list of records, one record, or several documents with a record or a list each. */
export async function readYamlList(source: SheetSource): Promise<RecordSheet> {
  async function* records() {
    const text = await wholeText(source);
    const { parseYaml } = await import('../../platform/yaml/parse-yaml.ts');
    const parsed = await parseYaml(text, { signal: source.signal });
    if (!parsed.ok) throw new SheetError(`${source.name}: ${parsed.message}`);
    let entry = 0;
    for (const document of parsed.values) {
      for (const value of Array.isArray(document) ? document : [document]) {
        entry += 1;
        yield { place: `entry ${entry}`, value: exactIntegers(value) };
      }
    }
  }
  return { kind: 'records', records: records() };
}
