function flatten(value: unknown, path: string, into: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) {
    into.set(path, value);
    return;
  }
  for (const [name, inner] of Object.entries(value)) flatten(inner, path === '' ? name : `${path}.${name}`, into);
}

/** Records as rows of dotted columns, with list entries by index; each row has the columns of all rows. */
export function csvRows(records: readonly object[]): Record<string, unknown>[] {
  const flat = records.map((record) => {
    const fields = new Map<string, unknown>();
    flatten(record, '', fields);
    return fields;
  });
  const columns = [...new Set(flat.flatMap((fields) => [...fields.keys()]))];
  return flat.map((fields) => Object.fromEntries(columns.map((column) => [column, fields.get(column) ?? null])));
}
