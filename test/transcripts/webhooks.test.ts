import { expect, it } from 'vitest';
import { shopWorld } from '../support/shop-world.ts';
import { story } from '../support/story.ts';

it('tells of webhooks of a partner and of a shop, which know nothing of each other', async () => {
  const { run, text } = story(await shopWorld());
  const url = (name: string) => `http://127.0.0.1:9/${name}`;
  await run('webhooks list');
  const { out: first } = await run(
    `webhooks create --url ${url('partner')} --entities order --entities fulfillment -o name`,
  );
  await run(
    `webhooks create --as shop --profile shop --url ${url('shop')} --entities inventory_level --metadata 'of the shop' --json`,
  );
  await run('webhooks list --fields url,entities,states.state');
  await run('webhooks list --profile shop --json --query "[].{url: url, metadata: metadata}"');
  await run(`webhooks create --url ${url('twice')} --entities order --entities order`);
  await run(`webhooks create --url ${url('unknown')} --entities parcel --json`);
  await run(`webhooks create --url ftp://127.0.0.1/x --entities order`);
  for (const name of ['two', 'three', 'four', 'five'])
    await run(`webhooks create --url ${url(name)} --entities order -o name`);
  await run(`webhooks create --url ${url('six')} --entities order`);
  await run(`webhooks delete ${first}`);
  await run(`webhooks delete ${first} --yes --json --query "webhooks[].url"`);
  await run(`webhooks delete ${first} --yes`);
  await run(`webhooks list -o csv --fields url`);
  await run('history changes --profile shop');
  await expect(text()).toMatchFileSnapshot('stories/webhooks-of-both-kinds.txt');
});
