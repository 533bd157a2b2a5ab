import * as z from 'zod';
import type { Person, Ports } from '../../action/ports.ts';
import { accountOf } from '../../client/account.ts';
import { keyFor } from '../../client/authorization.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { loadOperation } from '../../contract/areas.ts';
import type { Family, OperationId } from '../../contract/operation-id.ts';
import { DraftError } from '../../ledger/errors.ts';
import { ledgerAccount } from '../../ledger/identity.ts';
import type { AcceptedService, Intent, IntentTarget } from '../../ledger/intents/intent.ts';
import { serviceOf } from '../../ledger/known/service.ts';
import { ledgerOpener } from '../../ledger/open.ts';
import { baseUrlOf } from '../../settings/keys.ts';
import { checkFee, pickQuote, type QuotePreference, QuoteRefused } from '../pick-quote.ts';
import type { ComparedService } from '../quotes.ts';
import type { SendingContext, ShipOperations } from '../send-draft.ts';
import { say } from '../texts.ts';

function changed(offer: ComparedService, before: AcceptedService): QuoteRefused {
  const { code, fee } = before;
  return new QuoteRefused('fee_changed', say().service.changed({ code, fee: offer.fee, agreed: fee }));
}

/**
 * Checks the current offers before sending. A fee that differs from the agreed one, higher or lower, stops: a person is
 * asked; if nobody can be, it is refused, unless it was agreed to beforehand with a maximum fee that covers it.
 */
export function agreement(preference: QuotePreference, yes: boolean, person: Person): SendingContext['agree'] {
  return async (offers, before) => {
    const offer = pickQuote(offers, { ...preference, pick: before?.code ?? preference.pick, maxFee: undefined });
    checkFee(offer, preference.maxFee);
    if (before === undefined || offer.fee === before.fee) return offer;
    if (preference.maxFee !== undefined && yes) return offer;
    if (!person.isThere) throw changed(offer, before);
    const message = say().wizard.feeChanged({ code: offer.code ?? '', was: before.fee, is: offer.fee ?? 0 });
    if (await person.ask({ name: 'changed_fee', message, schema: z.boolean(), initial: false })) return offer;
    throw changed(offer, before);
  };
}

/** The account and the service in force. */
type InForce = Pick<Ports, 'settings' | 'connection'>;

function familyOf({ settings }: InForce): Family {
  return settings.as?.value ?? 'partner';
}

/**
 * The operations of the family in force. As far as they are used here, both families have the same requests and
 * responses.
 */
export async function loadShipOperations(ports: InForce): Promise<ShipOperations> {
  const family = familyOf(ports);
  const [create, lookup, quote] = await Promise.all([
    loadOperation(`${family}.Shipping/CreateAndConfirmOrder`),
    loadOperation(`${family}.Shipping/GetOrder`),
    loadOperation(`${family}.Shipping/GetShippingServices`),
  ]);
  return { create, lookup, quote } as ShipOperations;
}

/**
 * The target of an operation's drafts in this run. Throws a CredentialError if there is no key that may be sent there, and
 * as `serviceOf` does.
 */
export async function targetOfOperation(ports: Ports, operation: OperationId): Promise<IntentTarget> {
  const family = operation.startsWith('partner.') ? 'partner' : 'shop';
  const base_url = baseUrlOf(ports.settings);
  const connection = ports.connection();
  keyFor(family === 'partner' ? 'shop-key' : 'shop-api-key', operation, checkedBaseUrl(base_url).origin, connection);
  const account = await accountOf(family, connection);
  const store = await ledgerOpener(ports).openIfThere();
  if (store === undefined) return { operation, base_url, account };
  try {
    return { operation, base_url, account: (await serviceOf(store, account, connection)).account };
  } finally {
    await store.close();
  }
}

/** The target of a draft of `ship`. Refuses before the first question what the last step would refuse. */
export function targetOf(ports: Ports): Promise<IntentTarget> {
  return targetOfOperation(ports, `${familyOf(ports)}.Shipping/CreateAndConfirmOrder`);
}

/** The target of a draft in a dry run: nothing is sent, and the account is not looked up. */
export function previewTarget(ports: InForce): IntentTarget {
  const family = familyOf(ports);
  const operation = `${family}.Shipping/CreateAndConfirmOrder` as const;
  return { operation, base_url: baseUrlOf(ports.settings), account: { origin: '', family, shop: '' } };
}

/** Refuses a draft of another account: its order would not be found there, and be sent a second time. */
export function requireSameTarget(draft: Intent, here: IntentTarget): void {
  const { operation, base_url, account } = draft.target;
  if (operation === here.operation && ledgerAccount(account) === ledgerAccount(here.account)) return;
  throw new DraftError('draft_elsewhere', say().run.elsewhere({ id: draft.id }), {
    draft: draft.id,
    base_url,
    family: account.family,
    // The placeholder for an unknown id does not name a shop.
    ...(account.shop.startsWith('key ') ? {} : { shop: account.shop }),
  });
}
