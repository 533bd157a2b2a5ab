import { hasUnseen } from '../../domain/damaged-text.ts';
import { exactIntegers } from '../../domain/json/values.ts';
import { say } from '../texts.ts';
import { type RecordSheet, SheetError, type SheetRecord, type SheetSource } from './sheet.ts';
import { wholeText } from './text-of.ts';

/** Reads YAML: a list of records, one record, or several documents with a record or a list each. */
export async function readYamlList(source: SheetSource): Promise<RecordSheet> {
  async function* records(): AsyncGenerator<SheetRecord, void, undefined> {
    const text = await wholeText(source);
    const { parseYaml } = await import('../../platform/files/parse-yaml.ts');
    const parsed = await parseYaml(text, { signal: source.signal });
    if (!parsed.ok) throw new SheetError(say().file.whole({ name: source.name, message: parsed.message }));
    let entry = 0;
    for (const { value, written } of parsed.documents) {
      const isList = Array.isArray(value);
      for (const [index, record] of (isList ? value : [value]).entries()) {
        const start = isList ? [index] : [];
        entry += 1;
        yield {
          place: `entry ${entry}`,
          value: exactIntegers(record),
          hasUnseen: hasUnseen(text),
          written: (path) => written.get(JSON.stringify([...start, ...path])),
        };
      }
    }
  }
  return { kind: 'records', records: records() };
}
