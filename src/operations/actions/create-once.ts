import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import type { Account } from '../../client/account.ts';
import { accountOf, webhookAccountOf } from '../../client/account.ts';
import { keyFor } from '../../client/authorization.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { call } from '../../client/call.ts';
import { OutcomeUnknownError, ServiceError } from '../../client/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { sentNotices } from '../../ledger/actions/how-sent.ts';
import { ownLedger } from '../../ledger/actions/own-ledger.ts';
import { type ChangeContext, changeOnce } from '../../ledger/change.ts';
import { recognisedOrder } from '../../ledger/equal-order.ts';
import { contentOf, formerContents } from '../../ledger/identity.ts';
import { newIntent } from '../../ledger/intents/intent.ts';
import { takenElsewhere } from '../../ledger/known/other-shop.ts';
import { createOnce as createThrough, type Wanted } from '../../ledger/once.ts';
import { ledgerOpener } from '../../ledger/open.ts';
import type { OrderDraft } from '../../ledger/order-draft.ts';
import { previewName } from '../../ledger/preview-name.ts';
import { resourceOf, takesName } from '../../ledger/read-operations.ts';
import { baseUrlOf } from '../../settings/keys.ts';
import { say } from './texts.ts';

/** How long to wait for another run that sends the same: as long as its retries may take. */
const WAITS_MS = 120_000;

/** Printed while another process is waited for. */
export const waitingText = (): string => say().waiting;

type Answer = Fields;

/** The account that a write belongs to. Throws a CallError. */
export async function accountOfWrite({ id, credential }: Operation, ports: Ports): Promise<Account> {
  const family = id.startsWith('partner.') ? 'partner' : 'shop';
  const connection = ports.connection();
  keyFor(credential, id, checkedBaseUrl(connection.baseUrl).origin, connection);
  const ofPartner = credential === 'partner-api-key' ? await webhookAccountOf(family, connection) : undefined;
  return ofPartner ?? accountOf(family, connection);
}

/** A refusal of a name that names the other shop of the partner which has it; any other error as it is. */
export async function atOtherShop(error: unknown, account: Account, name: string, ports: Ports): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'already_exists' || name === '') return error;
  const { keysAt } = await import('../../ledger/store/keys.ts');
  const store = await ledgerOpener(ports).open();
  try {
    const shops = ports.settings.profile?.shops ?? {};
    const taken = await store.read((sql) => takenElsewhere((...at) => keysAt(sql, ...at), account, shops, name));
    if (taken === undefined) return error;
    const { operation = '', code, status, outcome, meta } = error;
    const { message: msg, ...facts } = taken;
    return new ServiceError(operation, { code, msg, meta: { ...meta, external_id: name, ...facts }, status, outcome });
  } finally {
    await store.close();
  }
}

/** What a create is recognised by; `input` is the request as it was given. */
async function wantedOf(operation: Operation, input: OrderDraft, again: boolean): Promise<Omit<Wanted, 'began'>> {
  const { external_id, ...content } = input;
  const resource = resourceOf(operation);
  const isOrder = resource === 'order';
  return {
    resource,
    external_id: external_id || '',
    external_code: isOrder ? input.external_code || '' : '',
    asked: input,
    content: contentOf(content),
    former: formerContents(content),
    equality: isOrder ? await recognisedOrder(input) : { equal: null },
    identity: null,
    again,
  };
}

/** The external_id that a create would be sent under now; tells where it cannot be known yet. */
export async function previewedName(
  operation: Operation,
  order: OrderDraft,
  again: boolean,
  ports: Ports,
): Promise<string> {
  const account = await accountOfLook(operation, ports);
  const wanted = await wantedOf(operation, order, again);
  const { name, isCertain } = await previewName(
    ledgerOpener(ports),
    { account, connection: ports.connection() },
    wanted,
    ports.clock.now(),
  );
  if (!isCertain) ports.report.notice(say().exampleName, { code: 'external_id_example', external_id: name });
  return name;
}

/** The account, as far as it is known without a call. */
async function accountOfLook(operation: Operation, ports: Ports): Promise<Account> {
  try {
    return await accountOfWrite(operation, { ...ports, connection: () => refusingCalls(ports) });
  } catch {
    return { origin: '', family: operation.id.startsWith('partner.') ? 'partner' : 'shop', shop: '' };
  }
}

function refusingCalls(ports: Ports) {
  const gate = () => {
    throw new OutcomeUnknownError('', 'a dry run asks no questions');
  };
  return { ...ports.connection(), gate };
}

/** Asks whether to pass what nobody knows the outcome of; --yes does not answer that. */
export async function passUnclear({ person }: Ports, message: string): Promise<boolean> {
  if (!person.isThere) return false;
  return person.ask({ name: 'pass_unclear', message, schema: z.boolean(), initial: false });
}

/**
 * Sends a create exactly once: if an earlier run sent the same and did not learn or report the outcome, that is settled
 * and reported first. Where the record can have an external_id and the caller gave none it gets one, by which it can be
 * looked up. Once the outcome was reported, the same input means a new record; an order has to be asked for again.
 */
export async function createOnce(operation: Operation, input: object, again: boolean, ports: Ports): Promise<Answer> {
  const { clock, report } = ports;
  const order: OrderDraft = fieldsIn(input);
  if (ports.isLook) {
    const external_id = takesName(operation)
      ? { external_id: await previewedName(operation, order, again, ports) }
      : {};
    return call(operation, { ...order, ...external_id }, ports.connection());
  }
  const account = await accountOfWrite(operation, ports);
  const wanted = { ...(await wantedOf(operation, order, again)), began: ports.began, opened: ports.opened };
  const target = { operation: operation.id, base_url: baseUrlOf(ports.settings), account };
  const intent = newIntent(target, { now: clock.now(), resource: wanted.resource, order, from_input: true });
  const { answer, reported, ...sent } = await createThrough(
    {
      open: () => ownLedger(ports, account),
      create: operation,
      account,
      connection: ports.connection(),
      waitMs: WAITS_MS,
      onName: async (name) => {
        if (!order.external_id && operation.settlement !== undefined) {
          await ports.progress.say(`external_id ${name}`, { code: 'external_id', external_id: name });
        }
      },
      onWait: () => report.say(waitingText()),
    },
    wanted,
    {
      prepare: async () => ({ ...intent, request: order }),
      afterAnswer: async (before) => {
        throw before;
      },
      passUnclear: (message) => passUnclear(ports, message),
    },
  ).catch(async (error: unknown) => {
    throw await atOtherShop(error, account, wanted.external_id, ports);
  });
  report.onceReported(reported);
  for (const notice of sentNotices(sent)) report.notice(notice);
  return fieldsIn(answer);
}

/**
 * Changes one record while nobody else writes it; `send` makes the call where the request is not sent as it is here, and
 * `first` looks at the record before that.
 */
export async function changeRecord(
  operation: Operation,
  input: object,
  ports: Ports,
  { send, first }: Pick<ChangeContext, 'send' | 'first'> = {},
): Promise<Answer> {
  const request = { ...input };
  if (ports.isLook) return call(operation, request, ports.connection());
  const account = await accountOfWrite(operation, ports);
  const answer = await changeOnce(
    {
      open: () => ownLedger(ports, account),
      account,
      connection: ports.connection(),
      waitMs: WAITS_MS,
      onWait: () => ports.report.say(waitingText()),
      ...(send === undefined ? {} : { send }),
      ...(first === undefined ? {} : { first }),
    },
    operation,
    request,
  );
  return fieldsIn(answer);
}
