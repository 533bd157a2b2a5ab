// Every enumeration of the contract ("Enumerations"), with the values that decisions.md, section 1, specifies.

export const status3 = ['Z', 'P', 'N'] as const;
export const status4 = ['Z', 'P', 'S', 'N'] as const;
export const status5 = ['Z', 'P', 'S', 'N', 'NS'] as const;

/** The word shown beside each status letter. */
export const statusWords = { Z: 'new', P: 'done', S: 'in progress', N: 'cancelled', NS: 'returned' } as const;

export const gender = ['unknown', 'male', 'female', 'other'] as const;
export const customerType = ['unknown', 'individual', 'organization', 'anonymous', 'independent'] as const;
export const accountType = ['unknown', 'partner', 'shop', 'affiliate', 'carrier', 'platform'] as const;
/** The carrier names that are known; names of individual carriers are not in the contract, and pass unchanged. */
export const shippingProvider = ['unknown', 'all', 'manual', 'partner'] as const;
export const tryOn = ['unknown', 'none', 'open', 'try'] as const;
export const orderFeeType = ['shipping', 'tax', 'other'] as const;
export const paymentMethod = ['cod', 'bank', 'other', 'vtpay'] as const;
export const autoInventoryVoucher = ['create', 'confirm'] as const;
export const inventoryPolicy = ['obey', 'ignore'] as const;
export const webhookState = ['ok', 'retry', 'stop'] as const;
export const changeType = ['create', 'update', 'delete'] as const;

export const shippingState = [
  'unknown',
  'default',
  'created',
  'confirmed',
  'processing',
  'picking',
  'holding',
  'delivering',
  'delivered',
  'returning',
  'returned',
  'cancelled',
  'undeliverable',
] as const;

export const shipnowState = [
  'default',
  'created',
  'assigning',
  'picking',
  'delivering',
  'delivered',
  'returning',
  'returned',
  'unknown',
  'undeliverable',
  'cancelled',
] as const;

/** `devivery_giveup` is spelled as in the contract; unset is the empty string. */
export const substate = [
  '',
  'default',
  'pick_fail',
  'delivery_fail',
  'devivery_giveup',
  'return_fail',
  'cancelling',
] as const;

/** The record kinds that a change can contain and a webhook can subscribe to: the one-of keys of a Change. */
export const entity = [
  'customer',
  'customer_address',
  'customer_group',
  'customer_group_relationship',
  'fulfillment',
  'inventory_level',
  'order',
  'product',
  'product_collection',
  'product_collection_relationship',
  'shipnow_fulfillment',
  'variant',
] as const;
