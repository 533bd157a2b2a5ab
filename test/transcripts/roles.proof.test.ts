import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Role, role } from '../pty/role.ts';
import { hasTmux } from '../pty/terminal.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program?.remove());

const asShop = { SHOPCTL_PROFILE: 'sandbox-shop' };

/** Signs a demo shop in from another terminal. */
async function signIn({ elsewhere }: Role, shop: string): Promise<void> {
  const asked = "shopctl auth login --no-input --json --query auth_token | tr -d '\"'";
  const { out: token } = await elsewhere(asked);
  await elsewhere(`shopctl sandbox sign-in '${token}' --shop '${shop}'`);
  await elsewhere(`shopctl auth login --shop-id "$(${idOf(shop)})"`);
}

const idOf = (shop: string) =>
  `shopctl sandbox credentials --json --query "shops[?name=='${shop}'].id | [0]" | tr -d '"'`;

/** Nobody is told the address twice: the test reads it off the screen, as an owner does. */
async function ownerSignsIn({ terminal, elsewhere }: Role): Promise<void> {
  await terminal.until('Waiting for the shop');
  const [, token] = /auth_token=(request%3A[\w-]{43})/.exec(await terminal.unbroken()) ?? [];
  await elsewhere(`shopctl sandbox sign-in '${decodeURIComponent(token ?? '')}' --shop 'Demo Shop'`);
  const { out: id } = await elsewhere(idOf('Demo Shop'));
  await terminal.type(id);
  await terminal.press('Enter');
}

describe.skipIf(!hasTmux() && !process.env.CI)('a role at a terminal of 80 columns', () => {
  it('is a newcomer, who begins, fails once and ships', async () => {
    const newcomer = await role(program);
    const { run, look, text } = newcomer;
    await run('shopctl orders list --limit 3');
    expect(await look('shopctl orders list --limit 3 --profile sandbox-shop')).toMatch(
      /^CODE +(?:\w+ +)*STATUS +.* AMOUNT +CASH$/m,
    );
    await run('shopctl quote --input examples/quote.json');
    const signedIn = run('shopctl auth login --no-browser');
    await ownerSignsIn(newcomer);
    await signedIn;
    await run('shopctl quote --input examples/quote.json --fields carrier,name,fee,marks');
    await run('shopctl ship --input examples/order.json --pick cheapest --max-fee 1000 --yes');
    await run('shopctl ship --input examples/order.json --pick cheapest', ['❯ send it', '']);
    await run('shopctl totals fill examples/order.json > order.json');
    await run('shopctl ship --input order.json --pick cheapest --yes -o name');
    await expect(text()).toMatchFileSnapshot('stories/roles/a-newcomer.txt');
  });

  it('is a packing table: a message, a parcel, its slip and the scanner', async () => {
    const { run, look, text, elsewhere } = await role(program, asShop);
    const shipped = await run(
      'shopctl ship --paste',
      ['? Message', 'Chị Lan 0987 654 321, 12 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội, 2 áo thun cổ tròn, thu 300k'],
      ['Pickup: full name', 'Kho Hoa Sen'],
      ['Pickup: phone', '0901112223'],
      ['Pickup: place', 'thao dien q2'],
      ['street and number', '5 Thảo Điền'],
      ['❯ use it', ''],
      ['before discount', '150.000'],
      ['delivery fee', ''],
      ['other fees', ''],
      ['whole order', ''],
      ['Parcel: weight', '500'],
      ['❯ yes, insured', ''],
      ['❯ open the parcel', ''],
      ['Service: which one', ''],
      ['❯ send it', ''],
      ['Ship another?', 'n'],
    );
    const [, parcel] = /^parcel +\S* *([A-Z]{2}\d{6})/m.exec(shipped) ?? [];
    // How many there are depends on the hour.
    expect(await look('shopctl slips --today --to slips.pdf')).toMatch(/^slips +\d+$/m);
    await run(`shopctl fulfillments list --match ${parcel} -q`);
    await run(`shopctl orders list --match 0987654321 --fields code,status,total_amount -q`);
    expect((await elsewhere('head -c 5 slips.pdf')).out).toBe('%PDF-');
    await expect(text()).toMatchFileSnapshot('stories/roles/a-packing-table.txt');
  });

  it('is an owner in the evening: prices, what was not delivered, and a way back', async () => {
    const { run, look, text, file } = await role(program, asShop);
    file('prices.csv', 'code,retail_price\nAO01-1,165.000\nAO01-2,150.000\nAO17-2,480.000\n');
    await run('shopctl batch plan prices.csv --do "variants update"');
    await run('shopctl batch run prices.csv --do "variants update"', ['Send', 'y']);
    await run('shopctl batch rows');
    await run('shopctl batch undo "$(shopctl batch list -o name | head -n 1)"', ['Undo', 'y']);
    await run('shopctl variants get --code AO17-2 --fields code,retail_price');
    // Which parcels these are depends on the hour.
    const late = await look(
      'shopctl fulfillments list --status undelivered --limit 3 --fields shipping_code,cod_amount',
    );
    expect(late).toMatch(/^SHIPPING_CODE +COD$/m);
    const day = await look('shopctl mirror sync -q > /dev/null; shopctl day');
    expect(day).toMatch(/^to be picked up +\d+ +parcels$/m);
    for (const line of day.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    await expect(text()).toMatchFileSnapshot('stories/roles/an-owner-in-the-evening.txt');
  });

  it('is a script of a pipeline: a plan to approve, and exit codes', async () => {
    const { run, text, file } = await role(program, { ...asShop, CI: 'true', GITHUB_ACTIONS: 'true' });
    file('bad.csv', 'full_name,phone\nLan,0901234567\nHoa,09x\n');
    file(
      'ci.sh',
      [
        'set -e',
        'shopctl batch plan examples/orders.csv --save plan.json --to plan.md -o json --query "counts.left"',
        'mkdir -p elsewhere; cd elsewhere',
        'shopctl batch run --plan ../plan.json --yes -o name',
        'shopctl batch run --plan ../plan.json --yes -o json --query "[state, counts.done]"',
        '',
      ].join('\n'),
    );
    await run('shopctl batch plan bad.csv --do "customers create"');
    await run('shopctl batch run examples/orders.csv');
    await run('shopctl sandbox exec -- sh ci.sh');
    await run('sh ci.sh');
    await run('shopctl orders list --status done --limit 1 -o name -q | wc -l');
    await expect(text()).toMatchFileSnapshot('stories/roles/a-script-of-a-pipeline.txt');
  });

  it('is a partner with two shops, who never ships for the wrong one', async () => {
    const partner = await role(program);
    const { run, text } = partner;
    await signIn(partner, 'Demo Shop');
    await signIn(partner, 'Second Demo Shop');
    await run('shopctl auth shops --fields shop_id,name,current');
    await run("shopctl quote --input examples/quote.json --shop 'demo' --fields carrier,name,fee,marks");
    await run('shopctl ship --input examples/order-complete.json --shop Gốm --pick cheapest --yes');
    await run("shopctl batch run examples/orders.csv --shop 'demo shop' --yes -q");
    await run('shopctl batch run examples/orders.csv --yes -o name');
    await run("shopctl batch rows --shop 'Demo Shop' --fields row,code,state,shipping_code");
    await run('shopctl batch list --fields batch,shop,counts.done,fees.total');
    await run("shopctl batch list --shop 'Demo Shop' -o name > wrong.txt; wc -l < wrong.txt");
    await run("shopctl batch undo $(cat wrong.txt) --shop 'Demo Shop' --reason 'wrong shop' --yes");
    await expect(text()).toMatchFileSnapshot('stories/roles/a-partner-with-two-shops.txt');
  });

  it('is an operator of webhooks, who hears a change and finds what is broken', async () => {
    const operator = await role(program, asShop);
    const { run, text, file, terminal, elsewhere } = operator;
    // A command that ends when it is told to: otherwise its outcome may be on the screen before the change.
    file('hear.sh', 'cat >> heard.jsonl\nread -r word < seen\n');
    await elsewhere('mkfifo seen');
    const heard = run("shopctl webhooks listen --register --exec 'sh hear.sh' --count 1 --within 60s");
    await terminal.until('Listening at');
    await elsewhere("shopctl customers create --full-name 'Lan' --phone 0901234567");
    await terminal.until(/customer +create/);
    await elsewhere('echo yes > seen');
    await heard;
    await run('shopctl events list --fields entity,change_type,record_id');
    await run('shopctl webhooks status');
    await run('shopctl webhooks send http://127.0.0.1:9/crm --entity customer');
    await run('shopctl webhooks create --url http://127.0.0.1:9/crm --entities customer --fields url,entities');
    await run(
      "shopctl sandbox clock freeze -q > /dev/null; shopctl customers create --full-name 'Mai' --phone 0901234568 -o name",
    );
    await run('shopctl sandbox clock advance 45h --until-idle -q > /dev/null; shopctl webhooks status');
    await run('shopctl webhooks recover --all');
    await expect(text()).toMatchFileSnapshot('stories/roles/an-operator-of-webhooks.txt');
  });
});
