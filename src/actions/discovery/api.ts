import * as z from 'zod';
import { callRaw } from '../../client/call.ts';
import { areas, findOperation } from '../../contract/areas.ts';
import type { Credential } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import { text } from '../../contract/schema/scalars.ts';
import { isRecord } from '../../domain/json/value-at.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { tellProblems } from '../operations/derive.ts';
import { requireNoShop } from '../settings/keys.ts';

const PATH = /^\/?(?:v1\/)?((?:shop|partner)\.[A-Za-z]+\/[A-Za-z]+)$/;

function isOperationId(id: string): id is OperationId {
  return PATH.test(id) && !id.startsWith('/') && !id.startsWith('v1/');
}

/** The operation for a path, with or without `/v1/`. */
function idOf(path: string): OperationId {
  const [, id = ''] = PATH.exec(path) ?? [];
  if (isOperationId(id)) return id;
  throw new Refusal('operation_path', `${JSON.stringify(path)} is not an operation's path`);
}

/** An operation that is not in the contract is called with its family's key. */
function credentialOf(id: OperationId): Credential {
  if (id.startsWith('shop.')) return 'shop-api-key';
  return id.startsWith('partner.Shipping/') ? 'shop-key' : 'partner-api-key';
}

const api = action({
  id: 'api',
  words: ['api'],
  summary: 'Call any operation with a request of your own',
  description: 'The JSON is sent as it is, unchecked; every digit of an id survives.',
  examples: [
    `shopctl api shop.Order/GetOrder --data '{"external_id":"WEB-2026-000117"}'`,
    'shopctl api shop.Misc/VersionInfo',
  ],
  effect: 'by-call',
  needs: ['key'],
  input: z.object({
    path: text('the operation, for example shop.Order/GetOrder'),
    data: z.optional(text('the request; @FILE reads it from a file, - from stdin; {} when absent')),
  }),
  output: z.unknown().meta({ type: 'object', description: 'What the service answers' }),
  view: { columns: [] },
  format: 'json',
  positional: ['path'],
  hints: { data: { placeholder: 'JSON' } },
  async run({ path, data = '{}' }, ports) {
    const id = idOf(path);
    const operation = await findOperation(id);
    const credential = operation?.credential ?? credentialOf(id);
    requireNoShop(credential, ports.settings);
    const answer = await callRaw({ id, credential, operation }, data, ports.connection());
    if (operation === undefined) {
      const near = nearestName(id.split('/')[0] ?? '', Object.keys(areas));
      ports.report.notice(`the contract has no operation ${id}${near === undefined ? '' : ` (areas: ${near}, …)`}`);
    }
    if (isRecord(answer)) tellProblems(answer, ports);
    return answer;
  },
});

/** Any operation, raw. */
export const actions = [api];
