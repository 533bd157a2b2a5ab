import { expect, it } from 'vitest';
import { inVietnamese, leftBy } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { shopWorld } from '../support/shop-world.ts';

/** What stands in no brackets: data, kinds of records, the parts of a request, and usage, which is help. */
const given = [
  'shop Buyers ID intent CustomerGroup CreateGroup operation method POST url http body',
  'order_id external_id answered_at Nguyễn Thị Lan order nobody Demo Shop id',
  'ngõ Phường Dịch Vọng Quận Cầu Giấy Thành phố Hà Nội Kho Liên Chiểu Lô KCN Hòa Khánh Nam Đà Nẵng Áo khoác Giao hàng',
  'greenmile Economy open shipping',
];

/** A shop with one write of unknown outcome. */
async function unclear() {
  const world = await shopWorld();
  const operation = 'shop.CustomerGroup/CreateGroup';
  await world.service.sandbox.control.faults.add({ operation, once: true, do: 'drop-after-commit' });
  expect((await world.run(['groups', 'create', '--name', 'Buyers', '--profile', 'shop'])).exit).toBe(10);
  const [{ id }] = JSON.parse((await world.run(['ledger', 'list', '--json'])).stdout);
  return { ...world, id: String(id) };
}

it('says everything of writes in a catalogue', async () => {
  const { id, ...world } = await unclear();
  const order = plainOrder(world);
  const ship = ['ship', '--input', order, '--pick', 'cheapest', '--yes'];
  expect(
    await leftBy(
      world,
      [
        [['ledger', 'list']],
        [['ledger', 'show', id]],
        [['ledger', 'show', 'nobody']],
        [['ledger', 'settle', id]],
        [['ledger', 'settle', id, '--done', '--not-done']],
        [['ledger', 'settle', id, '--done'], { answers: [false] }],
        [['groups', 'create', '--name', 'Buyers', '--profile', 'shop']],
        [['groups', 'create', '--name', 'Buyers', '--profile', 'shop', '--dry-run']],
        [['ledger', 'settle', id, '--not-done'], { answers: [true] }],
        [['ledger', 'settle', id, '--done', '--yes']],
        [ship],
        [ship, { answers: [false] }],
        [[...ship, '--profile', 'shop'], { answers: [false] }],
      ],
      given,
    ),
  ).toEqual({});
});

it('shows a write of unknown outcome, and takes a word about it, in Vietnamese', async () => {
  const { id, ...world } = await unclear();
  const list = await inVietnamese(world, ['ledger', 'list']);
  expect([list.lines, list.tooWide]).toEqual([
    ['ID          TRẠNG THÁI  LOẠI BẢN GHI   TÊN  TỪ (GMT+7)', `${id}  chưa rõ     CustomerGroup       31/01 15:00`],
    [],
  ]);
  const settled = await inVietnamese(world, ['ledger', 'settle', id, '--not-done'], { answers: [true] });
  expect(settled.asked).toEqual([
    `${id} đúng là chưa được làm? Bản cũ vẫn có thể đến sau, khi đó gửi lần nữa sẽ thành hai.`,
  ]);
  expect([settled.lines, settled.tooWide]).toEqual([
    [
      `id            ${id}`,
      'trạng thái    không thực hiện',
      'loại bản ghi  CustomerGroup',
      'từ            31/01 15:00 (GMT+7)',
    ],
    [],
  ]);
});
