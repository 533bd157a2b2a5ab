import type { Sink } from '../../platform/terminal/streams.ts';

/**
 * Writes lines for a person, wrapped between words if the stream is a narrow terminal. They must be safe already. What is to
 * stand before them is asked for as they are written: a progress line may have come since they were said.
 */
export async function tellLines(stream: Sink, text: string, before = () => ''): Promise<void> {
  const { columns } = stream;
  if (!columns) return stream.write(before() + text);
  const { fitLines } = await import('../../platform/terminal/word-wrap.ts');
  return stream.write(before() + fitLines(text, columns));
}
