/** The holder of a row's key. */
export function holderOf({
  batch,
  row,
  generation,
}: {
  readonly batch: number;
  readonly row: number;
  readonly generation: number;
}): string {
  return `batch ${batch} ${row} ${generation}`;
}

/** The row that a holder names; undefined if it is none of a batch. */
export function rowOfHolder(holder: string): { readonly batch: number; readonly row: number } | undefined {
  const [kind, batch, row] = holder.split(' ');
  return kind === 'batch' ? { batch: Number(batch), row: Number(row) } : undefined;
}
