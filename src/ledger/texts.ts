import { formatMoney } from '../domain/amounts/money.ts';
import { textsIn } from '../domain/language.ts';

const differing = (fields: readonly string[]) =>
  fields.length === 0 ? 'other content' : `other content (${fields.join(', ')})`;

/** What people read of this subject. */
export const ledgerTexts = {
  /** What a person has to know about a record that was not simply sent by this run. */
  sent: {
    settled: 'its answer was lost, and it was settled by its external_id: it was created once',
    before: 'it was sent before: nothing was sent now',
    together: 'another run sent it meanwhile: it was created once',
    onceMore: 'nobody had seen this one: run it once more with --again for another',
    different: ({ fields }: { fields: readonly string[] }) =>
      `the service returned another ${fields.join(', ')} than was sent`,
    unkept: ({ why }: { why: string }) =>
      `it was created, but the ledger could not be updated: ${why}; running the same command again settles it`,
    beside: ({ other }: { other: string }) =>
      `it was settled as not created before its answer came, and an equal one was sent meanwhile (${other}): there may be two; check the service, and cancel one`,
    mayBeMade: ({ name }: { name: string }) => `It is not known whether ${name} was created. Send another one like it?`,
    intent: ({ id }: { id: string }) => `intent ${id}`,
    restored: ({ place, rows }: { place: string; rows: number }) =>
      `${place} was restored from a backup: ${rows} planned ${rows === 1 ? 'row' : 'rows'} may have been sent since, and will be looked up before anything is sent again`,
  },
  /** What a carrier collects. */
  cash: {
    toCollect: ({ amount }: { amount: number }) => `${formatMoney(amount)} ₫ to collect`,
    nothing: 'nothing to collect',
  },
  /** A person's word about a write. */
  word: {
    none: ({ id }: { id: string }) => `there is no write of unknown outcome ${id}`,
    several: ({ id }: { id: string }) => `there are several writes ${id}`,
    write: ({ id }: { id: string }) => `write ${id}`,
    isDone: ({ id }: { id: string }) => `Is ${id} done at the service?`,
    wasNotDone: ({ id }: { id: string }) =>
      `Was ${id} not done? A late copy of it can still arrive, and then a second one exists once it is sent again.`,
    settling: ({ id }: { id: string }) => `settling ${id}`,
    chooseOne: 'choose one: done, or not done',
    ofBatch: ({ id }: { id: string }) => `${id} is a row of a batch`,
    beingSent: ({ id }: { id: string }) => `${id} is being sent by another shopctl`,
    meanwhile: ({ id }: { id: string }) =>
      `${id} was checked or sent again by another process meanwhile, so this was not recorded`,
  },
  drafts: {
    busy: ({ id, state }: { id: string; state: string }) =>
      `draft ${id} is used by another shopctl, and its state is ${state} now`,
    noId: 'the id of the draft is empty',
    none: ({ id }: { id: string }) => `there is no draft ${id}`,
    several: ({ id }: { id: string }) => `there are several drafts ${id}`,
  },
  /** Why nothing was sent. */
  refused: {
    sentBefore: ({ at, order }: { at: string; order: string }) => `the same order was sent at ${at}, as order ${order}`,
    differs: ({ name, at, fields }: { name: string; at: string; fields: readonly string[] }) =>
      `${name} was sent at ${at} with ${differing(fields)}; nothing was sent now`,
    differsSettled: ({ name, at, fields }: { name: string; at: string; fields: readonly string[] }) =>
      `${name} was sent at ${at} with ${differing(fields)}; that was settled, and nothing else was sent now`,
    ended: ({ name }: { name: string }) =>
      `${name} was sent before, and its record has since been cancelled, returned or deleted`,
    byPartner: "the same was sent with the partner's key before; nothing was sent now",
    byShop: "the same was sent with the shop's own key before; nothing was sent now",
    heldByWrite: ({ resource, name }: { resource: string; name: string }) =>
      `a write of ${resource} ${name} was sent before, and its outcome is not known; nothing was sent now`,
    heldByEqual: ({ name }: { name: string }) =>
      `an equal record was sent before (${name}), and its outcome is not known; nothing was sent now`,
    heldByRow: ({ row, batch }: { row: string; batch: string }) =>
      `row ${row} of batch number ${batch} has sent an equal record, and its outcome is not known; nothing was sent now`,
    copied: ({ name }: { name: string }) =>
      `${name} was derived for other content, a copied name: leave external_id out`,
    sameRecord: 'another shopctl is sending the same record; nothing was sent now',
    leaseEnded: 'the lease ended before it was sent',
    earlierAttempt: ({ message }: { message: string }) =>
      `an earlier attempt may have been carried out, and this one failed: ${message}`,
    whichRecord: ({ command }: { command: string }) =>
      `the answer does not say which record ${command} is about: use its id`,
    takenElsewhere: ({ name, order, shop }: { name: string; order: string; shop: string }) =>
      `${name} is taken by order ${order} of shop ${shop}: nothing was sent`,
    otherAddress: ({ shop, known, origin }: { shop: string; known: string; origin: string }) =>
      `shop ${shop} is known at ${known}, and ${origin} may be the same service: nothing was sent`,
    joining: 'two addresses are being joined: nothing was sent',
    joiningHint: 'run the command once more that says whether two addresses are one, where it was interrupted',
    replaced: ({ place }: { place: string }) =>
      `${place} was replaced, and does not know what was sent for this account before: nothing was sent`,
    elsewhere: ({ held, place }: { held: string; place: string }) =>
      `what was sent for this account is recorded in ${held}, and not in ${place}: nothing was sent`,
    setting: ({ wrong }: { wrong: string }) => `the setting workspace is refused: ${wrong}`,
    newer: ({ path }: { path: string }) => `${path} was written by a newer shopctl; nothing was changed`,
  },
};

export const say = textsIn('ledger', ledgerTexts);
