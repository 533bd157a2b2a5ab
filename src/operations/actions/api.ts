import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { callRaw } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { invalidInput, Refusal } from '../../client/refusal.ts';
import { isWrite } from '../../client/retry.ts';
import { allOperations, findOperation } from '../../contract/areas.ts';
import type { Credential, Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import { flag, text } from '../../contract/schema/scalars.ts';
import { JsonSyntaxError, parseJson } from '../../domain/json/json.ts';
import { parseUnrepeated } from '../../domain/json/repeated-key.ts';
import { type Fields, fieldsIn, isRecord } from '../../domain/json/values.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { takesName } from '../../ledger/read-operations.ts';
import { requireNoShop } from '../../settings/keys.ts';
import { tellProblems } from './derive.ts';
import { say } from './texts.ts';

const PATH = /^\/?(?:v1\/)?((?:shop|partner)\.[A-Za-z]+\/[A-Za-z]+)$/;

function isOperationId(id: string): id is OperationId {
  return PATH.test(id) && !id.startsWith('/') && !id.startsWith('v1/');
}

/** The operation for a path, with or without `/v1/`. */
function idOf(path: string): OperationId {
  const [, id = ''] = PATH.exec(path) ?? [];
  if (isOperationId(id)) return id;
  throw new Refusal('operation_path', say().api.path({ path: JSON.stringify(path) }));
}

/** An operation that is not in the contract is called with its family's key. */
function credentialOf(id: OperationId): Credential {
  if (id.startsWith('shop.')) return 'shop-api-key';
  return id.startsWith('partner.Shipping/') ? 'shop-key' : 'partner-api-key';
}

/** The operation that a misspelt one most likely means. */
const nearOperation = async (id: OperationId) =>
  nearestName(
    id,
    (await allOperations()).map((one) => one.id),
  );

/** A record as it is given to be made. Throws a Refusal for what is none. */
function recordFrom(data: string): Fields {
  const refused = (message: string) => invalidInput([{ path: 'data', message }]);
  try {
    const value = parseUnrepeated(data);
    if (isRecord(value)) return value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refused(error.message);
    throw error;
  }
  throw refused(say().api.noRecord);
}

/**
 * What can have a name is made as by its command: named, once, and checked. A change of a record is sent while nobody else
 * writes it; nothing guards another write, and that is said.
 */
async function guarded(
  operation: Operation | undefined,
  { data, again }: { readonly data: string; readonly again: boolean | undefined },
  send: (connection: Connection) => Promise<unknown>,
  ports: Ports,
): Promise<unknown> {
  const { effect } = operation ?? { effect: 'create' as const };
  if (operation !== undefined && effect === 'create' && takesName(operation)) {
    const { createOnce } = await import('./create-once.ts');
    return createOnce(operation, recordFrom(data), again === true, ports);
  }
  if (again === true) throw invalidInput([{ path: 'again', message: say().api.again }]);
  if (ports.isLook || !isWrite(effect)) return send(ports.connection());
  if (operation !== undefined && effect !== 'create') {
    const { changeRecord } = await import('./create-once.ts');
    return changeRecord(operation, fieldsIn(parseJson(data)), ports, { send });
  }
  ports.report.notice(say().api.unguarded);
  return send(ports.connection());
}

const api = action({
  id: 'api',
  words: ['api'],
  summary: 'Call any operation with a request of your own',
  description:
    'What can have an external_id is checked, named and made once, as by its own command. Other JSON is sent as it is, unchecked; every digit of an id survives. Changes to one record wait for each other; another create is not guarded against being sent twice.',
  examples: [
    `shopctl api shop.Order/GetOrder --data '{"external_id":"WEB-2026-000117"}'`,
    'shopctl api shop.Misc/VersionInfo',
  ],
  effect: 'by-call',
  mayAlso: ['write', 'spend', 'destroy', 'secret'],
  undo: { whyNot: 'it depends on the operation' },
  needs: ['key'],
  input: z.object({
    path: text('the operation, for example shop.Order/GetOrder'),
    data: z.optional(text('the request; @FILE reads it from a file, - from stdin; {} when absent')),
    again: z.optional(flag('create another one, even if an equal one was or may have been created')),
  }),
  output: z.unknown().meta({ type: 'object', description: 'What the service answers' }),
  view: { columns: [] },
  format: 'json',
  positional: ['path'],
  hints: { data: { placeholder: 'JSON' } },
  async run({ path, data = '{}', again }, ports) {
    const id = idOf(path);
    const operation = await findOperation(id);
    const credential = operation?.credential ?? credentialOf(id);
    requireNoShop(credential, ports.settings);
    const send = (connection: Connection) => callRaw({ id, credential, operation }, data, connection);
    // Asked for by its flag: what a table of any answer would show is JSON in a cell.
    const { output } = ports.settings;
    if (output.value === 'table' && output.origin === 'flag')
      throw new Refusal('api_table', say().api.noTable, {
        facts: { ...(operation === undefined ? {} : { command: operation.command }) },
      });
    const near = operation === undefined ? await nearOperation(id) : undefined;
    if (operation === undefined && near !== undefined) ports.report.say(say().api.didYouMean({ id, near }));
    else if (operation === undefined) ports.report.notice(say().api.unknown({ id }));
    const answer = await guarded(operation, { data, again }, send, ports);
    if (isRecord(answer)) tellProblems(answer, ports);
    return answer;
  },
});

/** Any operation, raw. */
export const actions = [api];
