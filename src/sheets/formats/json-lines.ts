import { hasUnseen } from '../../domain/damaged-text.ts';
import { JsonSyntaxError } from '../../domain/json/json.ts';
import { parseUnrepeated } from '../../domain/json/repeated-key.ts';
import { isTooDeep } from '../../domain/json/values.ts';
import { writtenInJson } from '../../domain/json/written-numbers.ts';
import { say } from '../texts.ts';
import { placeText, type RecordSheet, type SheetSource } from './sheet.ts';
import { broken, requireShort, textOf } from './text-of.ts';

async function* linesOf({ name }: SheetSource, chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    rest += first;
    // Before it is whole: a line without an end would fill the memory.
    requireShort(name, `line ${line}`, rest);
    if (others.length === 0) continue;
    yield rest;
    rest = others.pop() ?? '';
    yield* others;
    line += others.length + 1;
  }
  yield rest;
}

/** Reads JSON lines: one record per line, blank lines skipped. */
export async function readJsonLines(source: SheetSource): Promise<RecordSheet> {
  async function* records() {
    let line = 0;
    for await (const text of linesOf(source, textOf(source).chunks)) {
      line += 1;
      if (text.trim() === '') continue;
      if (isTooDeep(text)) throw broken(source.name, placeText(`line ${line}`), say().file.tooDeep);
      try {
        yield {
          place: `line ${line}`,
          value: parseUnrepeated(text),
          written: writtenInJson(text),
          hasUnseen: hasUnseen(text),
        };
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) throw error;
        throw broken(source.name, placeText(`line ${line}`), error.message, error);
      }
    }
  }
  return { kind: 'records', records: records() };
}
