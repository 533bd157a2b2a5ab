/**
 * The rows in arrays: the first holds up to `first` rows, later ones up to `later`. When reading fails, the rows that
 * came before are still given, then the failure is thrown.
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

/** All rows at once, for what sees the whole result. */
export async function collect(rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
