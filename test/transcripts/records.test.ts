import { expect, it } from 'vitest';
import { stock } from '../support/shop-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { story } from '../support/story.ts';

const asShop = { env: { SHOPCTL_PROFILE: 'shop' } };

it("tells a customer's life", async () => {
  const world = await shopWorld();
  const { run: ran, text } = story(world);
  const run = (line: string, options = {}) => ran(line, { ...asShop, ...options });
  await run('customers create --email lan@shop.example --no-input');
  const { out: id } = await run(
    "customers create --full-name 'Nguyễn Thị Lan' --phone 0901234567 --type individual -o name",
  );
  await run(`customers get ${id}`);
  await run(
    `customers update ${id} --note 'rings twice' --birthday 1990-02-03 --json --fields note,birthday,full_name`,
  );
  await run(`customers update ${id} --note= --json --query "note == ''"`);
  const { out: address } = await run(
    `addresses create --customer-id ${id} --full-name 'Nguyễn Thị Lan' --phone 0901234567 --province hcm --district 'q. binh thanh' --ward 'p. 1' --address1 '12 Bạch Đằng' -o name`,
  );
  await run(`addresses list --customer-id ${id} --fields full_name,province,district,ward,address1`);
  await run(`addresses update ${address} --company 'Tea House' --json --fields company,district`);
  await run(`addresses delete ${address} --yes`);
  await run(`addresses list --customer-id ${id} -o csv --fields id,company`);
  await run(`customers list --id ${id} --json --fields id,full_name`);
  await run(`customers delete ${id}`);
  await run(`customers delete ${id} --yes`);
  await run(`customers get ${id}`);
  await run(`customers get ${id} --json`);
  await run(`customers list --id ${id} --include-deleted -o jsonl --fields id,full_name,deleted`);
  await expect(text()).toMatchFileSnapshot('stories/a-customers-life.txt');
});

it('tells of a product with variants and stock', async () => {
  const world = await shopWorld();
  const { run: ran, text } = story(world);
  const run = (line: string) => ran(line, asShop);
  const { json: product } = await run(
    "products create --name 'Áo khoác' --code COAT --retail-price 450000 --unit chiếc --json --fields id,code,name,retail_price",
  );
  const variant = (code: string, colour: string) =>
    run(
      `variants create --product-id ${product.id} --code ${code} --name 'Áo khoác ${colour}' --retail-price 450000 --attributes name=màu,value=${colour} -o name`,
    );
  const { out: red } = await variant('COAT-RED', 'đỏ');
  const { out: blue } = await variant('COAT-BLUE', 'xanh');
  await variant('COAT-RED', 'đỏ');
  await run(`products get --code COAT --json --query "variants[].{code: code, name: name, attributes: attributes}"`);
  await run(`variants update ${red} --list-price 500000 --json --fields code,list_price,retail_price`);
  await stock(world.service, red, 5);
  await stock(world.service, blue, 2);
  await run('inventory list');
  await run(`inventory list --variant-id ${blue} --json --fields variant_id,available_quantity`);
  await run(`variants delete ${blue} --yes`);
  await run(`variants get ${blue} -o json`);
  await run(`products get ${product.id} --query "variants[].code" -o jsonl`);
  await run(`products delete ${product.id} --yes`);
  await run('products list --query "[?code==\'COAT\']" --json');
  await expect(text()).toMatchFileSnapshot('stories/a-product-with-variants-and-stock.txt');
});

it('tells of memberships: who is in a group, what is in a collection', async () => {
  const world = await shopWorld();
  const { run: ran, text } = story(world);
  const run = (line: string) => ran(line, asShop);
  const { out: lan } = await run('customers create --full-name Lan --phone 0901234567 -o name');
  const { out: hoa } = await run('customers create --full-name Hoa --phone 0902234567 -o name');
  const { out: group } = await run("groups create --name 'Tea lovers' -o name");
  await run(`groups members add --group-id ${group} --customer-id ${lan}`);
  await run(`groups members add --group-id ${group} --customer-id ${hoa}`);
  await run(`groups members list --group-id ${group} --json`);
  await run(`groups members list --json`);
  await run(`groups members remove --group-id ${group} --customer-id ${lan}`);
  await run(`groups members remove --group-id ${group} --customer-id ${lan} --yes`);
  await run(`groups members list --group-id ${group} -o csv`);
  await run(`groups update ${group} --name 'Friends of tea' -o jsonl`);
  await run(`groups delete ${group} --yes`);
  await run(`groups get ${group}`);
  const { out: tea } = await run("products create --name 'Trà ô long' -o name");
  const { out: collection } = await run("collections create --name 'Mùa xuân' --short-desc spring -o name");
  await run(`collections members add --collection-id ${collection} --product-id ${tea}`);
  await run(`collections members list --product-id ${tea}`);
  await run(`collections members remove --collection-id ${collection} --product-id ${tea} --yes`);
  await run(`collections members list --collection-id ${collection} -o json`);
  await run(`collections list --fields name,short_desc,deleted`);
  await run(`collections delete ${collection} --yes`);
  await expect(text()).toMatchFileSnapshot('stories/memberships.txt');
});
