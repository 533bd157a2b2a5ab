import type { Sink } from '../platform/streams.ts';

/** Writes lines for a person, broken between words where the stream is a terminal that is narrower. They are safe already. */
export async function tellLines(stream: Sink, text: string, before = ''): Promise<void> {
  const { columns } = stream;
  if (!columns) return stream.write(before + text);
  const { fitLines } = await import('../platform/word-wrap.ts');
  return stream.write(before + fitLines(text, columns));
}
