import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inVietnamese, leftBy } from '../support/left-words.ts';
import { shopWorld } from '../support/shop-world.ts';

/** What stands in no brackets: names of files and of what is typed, and usage, which is help. */
const given = ['shop one other file db js moved', /\/\S+/g];

it('says everything of what is stored in a catalogue', async () => {
  const world = await shopWorld();
  await world.run(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop']);
  const addresses = ['https://shop.example', 'https://gateway.example'];
  const there = { env: { SHOPCTL_STATE_DIR: join(world.directory, 'there') } };
  expect(
    await leftBy(
      world,
      [
        [['workspace', 'show']],
        [['workspace', 'show', '--paths']],
        [['workspace', 'check']],
        [['workspace', 'backup', 'kept.db']],
        [['workspace', 'backup', 'kept.db']],
        [['workspace', 'backup', 'kept.db', '--dry-run']],
        [['workspace', 'address', 'same', 'a', 'b']],
        [['workspace', 'address', 'same', 'https://a.example', 'https://a.example']],
        [['workspace', 'address', 'separate', ...addresses], { answers: [false] }],
        [['workspace', 'address', 'separate', ...addresses], { answers: [true] }],
        [['workspace', 'address', 'same', ...addresses], { answers: [true] }],
        [['workspace', 'move']],
        [['workspace', 'move'], { answers: [false], ...there }],
        [['workspace', 'move'], { answers: [true], ...there }],
        [['workspace', 'move'], { answers: [true, true] }],
      ],
      given,
    ),
  ).toEqual({});
});

it('shows what was checked, and asks about two addresses, in Vietnamese', async () => {
  const world = await shopWorld();
  await world.run(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop']);
  const checked = await inVietnamese(world, ['workspace', 'check']);
  expect([checked.exit, checked.lines, checked.tooWide]).toEqual([
    0,
    [
      'KIỂM TRA                          KẾT QUẢ  CHI TIẾT',
      'file còn nguyên vẹn               tốt',
      'thay đổi được ghi hẳn xuống đĩa   tốt',
      'thay đổi vào nhật ký trước        tốt',
      'dòng nào cũng thuộc một đợt gửi   tốt',
      'dòng nào cũng có nội dung         tốt',
      'nội dung nào cũng có dòng         tốt',
      'đợt đã xong không còn dòng dở     tốt',
      'phí không quá giới hạn            tốt',
      'thay đổi nào cũng có nội dung     tốt',
      'nội dung nào cũng có thay đổi     tốt',
      'lượt chuyển nào cũng có thay đổi  tốt',
      'lượt chuyển nào cũng có đích      tốt',
    ],
    [],
  ]);
  const words = ['workspace', 'address', 'same', 'https://a.example', 'https://b.example'];
  const joined = await inVietnamese(world, words, { answers: [true] });
  expect([joined.asked, joined.lines, joined.tooWide]).toEqual([
    [
      'https://a.example và https://b.example có phải một hệ thống không? Nếu phải, những gì đã gửi đến một nơi được tính là đã gửi ở cả hai.',
    ],
    ['địa chỉ      https://a.example', 'địa chỉ kia  https://b.example', 'là           một hệ thống'],
    [],
  ]);
});
