/**
 * Splits rows into arrays: the first has up to `first` rows, later ones up to `later`. If reading fails, the rows read
 * so far are yielded first, then the error is thrown.
 */
export async function* inChunks(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  first: number,
  later: number,
): AsyncGenerator<unknown[], void> {
  let chunk: unknown[] = [];
  let size = first;
  try {
    for await (const row of rows) {
      chunk.push(row);
      if (chunk.length < size) continue;
      yield chunk;
      chunk = [];
      size = later;
    }
  } catch (error) {
    if (chunk.length > 0) yield chunk;
    throw error;
  }
  if (chunk.length > 0) yield chunk;
}

/** Reads all rows, for consumers that need the whole result. */
export async function collect(rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
