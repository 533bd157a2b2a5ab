import type * as Pg from 'pg';

/** The part of a connection that a copy needs, which its types lack. */
interface CopyTarget {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

const COPIES = /^copy .* from stdin$/s;

/**
 * A client whose queries may also be `copy … from stdin` with one parameter: the rows in PostgreSQL's text format. The
 * server takes them for a third of what inserting them costs it.
 */
export function copyingClient({ Query }: Pick<typeof Pg.default, 'Query'>, client: Pg.PoolClient): Pg.PoolClient {
  class CopyIn extends Query {
    readonly content: string;

    constructor(sql: string, content: string, done: (error: Error | undefined) => void) {
      super(sql, done);
      this.content = content;
    }

    /** Called by the client when the server is ready for the rows. */
    handleCopyInResponse(target: CopyTarget): void {
      target.sendCopyFromChunk(Buffer.from(this.content));
      target.endCopyFrom();
    }
  }
  const copy = (sql: string, rows: string) =>
    new Promise((resolve, reject) => {
      const done = (error: Error | undefined) => (error ? reject(error) : resolve({ command: 'COPY', rows: [] }));
      client.query(new CopyIn(sql, rows, done));
    });
  const query = (sql: string, parameters: readonly unknown[]) =>
    COPIES.test(sql) ? copy(sql, String(parameters[0])) : client.query(sql, [...parameters]);
  return new Proxy(client, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}
