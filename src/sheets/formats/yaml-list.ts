import { exactIntegers } from '../../domain/json/exact-integers.ts';
import { type RecordSheet, SheetError, type SheetSource } from './sheet.ts';
import { wholeText } from './text-of.ts';

/** Reads YAML: a list of records, one record, or several documents with a record or a list each. */
export async function readYamlList(source: SheetSource): Promise<RecordSheet> {
  async function* records() {
    const { LineCounter, parseAllDocuments } = await import('yaml');
    const lines = new LineCounter();
    const text = await wholeText(source);
    const options = { intAsBigInt: true, lineCounter: lines, prettyErrors: false, uniqueKeys: true };
    const documents = parseAllDocuments(text, options);
    let entry = 0;
    for (const document of Array.isArray(documents) ? documents : []) {
      const [problem] = document.errors;
      if (problem !== undefined) {
        const { line, col } = lines.linePos(problem.pos[0]);
        throw new SheetError(`${source.name}: ${problem.message} at line ${line}, column ${col}`);
      }
      const value = exactIntegers(document.toJS({ maxAliasCount: 100 }));
      for (const one of Array.isArray(value) ? value : [value]) {
        entry += 1;
        yield { place: `entry ${entry}`, value: one };
      }
    }
  }
  return { kind: 'records', records: records() };
}
