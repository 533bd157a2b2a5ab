import { callRaw } from '../../client/call.ts';
import { areas, findOperation } from '../../contract/areas.ts';
import type { Credential, OperationId } from '../../contract/operation.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import type { Group, Invocation, Result } from '../command.ts';
import { guard } from '../preview.ts';
import { textFlag } from '../request-input.ts';
import { resultOf } from '../result.ts';
import { textSource } from '../text-source.ts';
import { UsageError } from '../usage-error.ts';

const PATH = /^\/?(?:v1\/)?((?:shop|partner)\.[A-Za-z]+\/[A-Za-z]+)$/;

/** The operation that a path means, with or without `/v1/`. */
function idOf(path: string): OperationId {
  const [, id] = PATH.exec(path) ?? [];
  if (id === undefined) {
    throw new UsageError(`${JSON.stringify(path)} is no operation's path`, {
      hint: 'it looks like shop.Order/GetOrder; `shopctl commands` lists the operations',
    });
  }
  return id as OperationId;
}

/** An operation that the contract does not have is called with the key of its family. */
function credentialOf(id: OperationId): Credential {
  if (id.startsWith('shop.')) return 'shop-api-key';
  return id.startsWith('partner.Shipping/') ? 'shop-key' : 'partner-api-key';
}

async function bodyOf(invocation: Invocation): Promise<string> {
  const raw = textFlag(invocation, 'data') ?? '{}';
  const source = textSource(invocation.context);
  if (raw === '-') return source.stdin();
  return raw.startsWith('@') ? source.file(raw.slice(1)) : raw;
}

async function run(invocation: Invocation): Promise<Result> {
  const { session, given } = invocation;
  const id = idOf(given.arguments[0] ?? '');
  const operation = await findOperation(id);
  const body = await bodyOf(invocation);
  const credential = operation?.credential ?? credentialOf(id);
  const preview = guard(invocation, { id, effect: operation?.effect ?? 'transition', credential, body });
  if (preview !== undefined) return preview;
  const answer = await callRaw({ id, credential, operation }, body, session.connection());
  if (operation !== undefined) return resultOf(operation, answer);
  const near = nearestName(id.split('/')[0] ?? '', Object.keys(areas));
  const notice = `the contract has no operation ${id}${near === undefined ? '' : ` (areas: ${near}, …)`}`;
  return { document: { kind: 'record', value: answer, view: { columns: [] } }, notices: [notice] };
}

/** `shopctl api PATH`: any operation, raw. */
export const group: Group = {
  commands: [
    {
      words: [],
      summary: 'Call any operation with a request of your own',
      description: 'The JSON is sent as it is, unchecked; every digit of an id survives.',
      arguments: [{ name: 'path', description: 'the operation, for example shop.Order/GetOrder', required: true }],
      flags: () => [
        {
          name: 'data',
          type: 'string',
          placeholder: 'JSON',
          description: 'the request; @FILE reads it from a file, - from stdin; {} when absent',
        },
      ],
      examples: [
        `shopctl api shop.Order/GetOrder --data '{"external_id":"WEB-2026-000117"}'`,
        'shopctl api shop.Misc/VersionInfo',
      ],
      run,
    },
  ],
};
