import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderFields, quoteFields, shippingFields } from '../support/sandbox-order.ts';
import { twoStops } from '../support/shipnow.ts';
import { stock } from '../support/shop-order.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { masks, story } from '../support/story.ts';

/** Files that a story names, in the directory of the machine, which the story calls DIR. */
function context(world: ShopWorld) {
  const tale = story(world, masks([[new RegExp(world.directory, 'g'), 'DIR']]));
  return {
    text: tale.text,
    run: (line: string) => tale.run(line, { env: { SHOPCTL_PROFILE: 'shop' } }),
    file(name: string, value: unknown) {
      const path = join(world.directory, name);
      writeFileSync(path, JSON.stringify(value));
      return path;
    },
  };
}

const orderShown = '--fields id,status,confirm_status,total_amount,cancel_reason';

it('tells of an order that is confirmed with its stock', async () => {
  const world = await shopWorld();
  const { run, text, file } = context(world);
  const { out: product } = await run("products create --name 'Áo khoác' -o name");
  const { out: variant } = await run(`variants create --product-id ${product} --code COAT-RED -o name`);
  await stock(world.service, variant, 4);
  const lines = orderFields.lines.map((line) => ({ ...line, variant_id: variant }));
  const order = file('order.json', { ...orderFields, lines, payment_method: 'cod' });
  await run(`totals check ${order} --fields field,given,expected,result`);
  await run(`orders create --input ${order} --total-amount 1`);
  const { out: id } = await run(`orders create --input ${order} --external-id WEB-1 -o name`);
  await run(`orders create --input ${order} --external-id WEB-1 --json`);
  await run(`orders list --fields id,external_id,status,total_items,total_amount`);
  await run(`orders confirm ${id} --auto-inventory-voucher create --inventory-policy obey`);
  await run('inventory list --fields variant_id,available_quantity,picked_quantity');
  await run(`orders get --external-id WEB-1 --json --query "order.{status: status, confirm_status: confirm_status}"`);
  const { out: second } = await run(`orders create --input ${order} --external-id WEB-2 -o name`);
  await run(`orders confirm ${second} --auto-inventory-voucher create --inventory-policy obey`);
  await run(`orders get ${second} --json --query "order.{status: status, cancel_reason: cancel_reason}"`);
  await run(`orders cancel ${id}`);
  await run(
    `orders cancel ${id} --cancel-reason 'changed their mind' --yes --json --query "order.[status, cancel_reason]"`,
  );
  await run(`orders cancel ${id} --cancel-reason again --yes`);
  await run(`orders list ${orderShown.replace('id,', '')} -o csv`);
  await expect(text()).toMatchFileSnapshot('stories/an-order-with-its-stock.txt');
});

it('tells of a parcel from quote to cancellation', async () => {
  const world = await shopWorld();
  const { run, text, file } = context(world);
  const quote = file('quote.json', quoteFields);
  await run(`quote --input ${quote} --fields carrier,code,fee,marks`);
  const { json: offers } = await run(`shipping services --input ${quote} --json --query "[].{code: code, fee: fee}"`);
  const service = { shipping_service_code: offers[0].code, shipping_service_fee: offers[0].fee };
  const order = file('order.json', { ...orderFields, shipping: { ...shippingFields, ...service } });
  await run(`shipping create --input ${order} --external-id WEB-7 --shipping.shipping-service-fee 1 --json`);
  await run(`shipping create --input ${order} --external-id WEB-7 --read-only`);
  await run(
    `shipping create --input ${order} --external-id WEB-7 --fields order.status,order.confirm_status,fulfillments.shipping_state`,
  );
  const { json: shipped } = await run(
    `shipping get --external-id WEB-7 --json --query "{order: order.id, parcel: fulfillments[0].id}"`,
  );
  await run(`fulfillments list --order-id ${shipped.order} --fields id,order_id,shipping_state,status,cod_amount`);
  await run(`fulfillments get ${shipped.parcel} --json --fields shipping_state,shipping_service_fee`);
  await run(`shipping fulfillment ${shipped.parcel} --json --fields shipping_state`);
  await run(
    `shipping cancel ${shipped.order} --cancel-reason 'out of stock' --yes --fields order.status,order.cancel_reason,fulfillments.shipping_state`,
  );
  await run(`shipping cancel ${shipped.order} --cancel-reason again --yes --json`);
  await expect(text()).toMatchFileSnapshot('stories/a-parcel.txt');
});

it('tells of an on-demand delivery', async () => {
  const world = await shopWorld();
  const { run, text, file } = context(world);
  const { pickup_address, delivery_points } = twoStops;
  const place = ({ full_name: _name, phone: _phone, ...rest }: { full_name: string; phone: string }) => rest;
  const quote = file('shipnow-quote.json', {
    pickup_address: place(pickup_address),
    delivery_points: delivery_points.map(({ cod_amount, shipping_address }) => ({
      cod_amount,
      shipping_address: place(shipping_address),
    })),
  });
  await run(`shipnow services --input ${quote} --fields code,name,fee`);
  const { json: offer } = await run(`shipnow services --input ${quote} --json --query "[0].{code: code, fee: fee}"`);
  const delivery = file('shipnow.json', twoStops);
  const chosen = `--shipping-service-code ${offer.code} --shipping-service-fee ${offer.fee}`;
  await run(`shipnow create --input ${delivery} --no-input`);
  await run(`shipnow create --input ${delivery} --shipping-service-code ${offer.code} --shipping-service-fee 1`);
  const { out: id } = await run(`shipnow create --input ${delivery} ${chosen} --external-id NOW-1 -o name`);
  await run(`shipnow get --external-id NOW-1 --fields id,shipping_state,status,shipping_service_fee,cod_amount`);
  await run(`shipnow cancel ${id}`);
  await run(`shipnow cancel ${id} --cancel-reason 'nobody there' --yes --json`);
  await run(`shipnow get ${id} --json --fields shipping_state,status,cancel_reason`);
  await run(`shipnow cancel ${id} --cancel-reason again --yes`);
  await expect(text()).toMatchFileSnapshot('stories/an-on-demand-delivery.txt');
});
