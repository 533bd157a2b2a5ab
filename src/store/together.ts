import type * as Pg from 'pg';
import { driverFacts, errorCode } from '../platform/process/error-code.ts';
import { makeSafe } from '../platform/terminal/text-safety.ts';
import { say } from '../platform/terminal/texts.ts';
import { type ExpectedQuery, WorkspaceError } from './workspace.ts';

/**
 * SQLSTATE classes and codes which say that the server is shutting down, is not up yet, has no connection left, or has
 * ended an idle connection.
 */
const away = /^(?:08(?!P01)|25P0[34]|57P0[123]|53300|57014$)/;

/** Errors of the connection itself, by Node's codes and the driver's messages. */
const cut =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN)$|Connection terminated|connection timeout|Client has encountered a connection error|not queryable|timeout exceeded when trying to connect/i;

/** Node's codes for a certificate or TLS handshake that cannot be trusted. */
const distrusted = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED)/;

/** Whether the server may be back shortly, with everything that was committed. */
export function isAway(error: unknown): boolean {
  const { code, message } = driverFacts(error);
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return away.test(code) || cut.test(code) || cut.test(message);
}

/** Whether two transactions conflicted and this one was rolled back: it can simply be retried. */
export function isCollision(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(driverFacts(error).code);
}

/**
 * Translates the server's error into a WorkspaceError. Its message is untrusted text, and must not contain our
 * password.
 */
export function asWorkspaceError(error: unknown, place: string): unknown {
  if (error instanceof WorkspaceError) return error;
  const { code, message } = driverFacts(error);
  const texts = say().workspace;
  const facts = { place, why: makeSafe(message) };
  if (code === '53100' || /No space left on device/.test(message)) {
    return new WorkspaceError('workspace_full', texts.fullThere({ place }), { cause: error });
  }
  if (/^28/.test(code) || /password must be a string|no password/i.test(message)) {
    // The driver's own words about a password that nobody gave.
    const text = /^28/.test(code) ? texts.refusesLogin(facts) : texts.wantsPassword({ place });
    return new WorkspaceError('workspace_unusable', text, { cause: error, hint: texts.givePassword });
  }
  if (distrusted.test(code)) {
    const hint = texts.giveAuthority;
    return new WorkspaceError('workspace_unusable', texts.notTrusted(facts), { cause: error, hint });
  }
  if (code === 'ENOTFOUND') {
    return new WorkspaceError('workspace_unusable', texts.noHost({ place }), { cause: error });
  }
  if (code === '08P01' || /does not support SSL/.test(message)) {
    return new WorkspaceError('workspace_unusable', texts.otherSpeech(facts), { cause: error });
  }
  if (code === '3D000') {
    const hint = texts.makeDatabase;
    return new WorkspaceError('workspace_unusable', texts.noDatabase({ place }), { cause: error, hint });
  }
  if (code === '42501' || code === '25006') {
    return new WorkspaceError('workspace_unusable', texts.mayNotWrite(facts), { cause: error });
  }
  if (code === 'XX001' || code === 'XX002') {
    return new WorkspaceError('workspace_damaged', texts.damagedThere(facts), { cause: error });
  }
  if (isAway(error)) {
    const text = texts.away({ place, why: code || facts.why });
    return new WorkspaceError('workspace_away', text, { cause: error, hint: texts.goOnLater });
  }
  return error;
}

/** How the server reports a statement that met another number of rows than was expected: it divides by zero. */
const DIVISION_BY_ZERO = '22012';

const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value));

/** The statement, which fails if it returns another number of rows than is expected. */
const checked = ({ query: { sql }, expected }: ExpectedQuery) =>
  expected === undefined ? sql : `with met as (${sql}) select 1 / (count(*) = ${expected})::integer from met`;

/**
 * Statements sent at once, with one Sync behind the last: to the server they are one transaction, which it commits there,
 * or rolls back whole after the first failure. The driver calls it as it calls its own queries.
 */
class Together implements Pg.Submittable {
  readonly ended: Promise<void>;
  readonly #statements: readonly ExpectedQuery[];
  #resolve = () => {};
  #reject = (_error: unknown) => {};

  constructor(statements: readonly ExpectedQuery[]) {
    this.#statements = statements;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Pg.Connection): void {
    connection.stream.cork();
    for (const statement of this.#statements) {
      connection.parse({ name: '', text: checked(statement), types: [] }, true);
      connection.bind({ values: statement.query.parameters.map(textOf) }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }

  /** After the commit; an error before has rejected it already. */
  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

/**
 * Runs statements in one transaction and one round trip; false, and nothing has changed, if one of them returned another
 * number of rows than was expected. Rejects with the driver's error.
 */
export async function runTogether(pool: Pg.Pool, statements: readonly ExpectedQuery[]): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query(new Together(statements)).ended;
    client.release();
    return true;
  } catch (error) {
    const isUnexpected = errorCode(error) === DIVISION_BY_ZERO;
    // As the pool does itself with its own queries.
    client.release(isUnexpected ? undefined : true);
    if (isUnexpected) return false;
    throw error;
  }
}
