import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { leftBy } from '../support/left-words.ts';
import { agentOf, countedWorld, orderNamed } from './agent-world.ts';

/** What stands in no brackets: data of the orders, names of files, fields and commands, and the events of the log, which is English. */
const given = [
  'test nobody agents yaml version allow approve command ship CI GMT must be such as file verson',
  'Nguyễn Thị Lan ngõ dich vong cau giay ha noi Áo khoác Kho Liên Chiểu Lô KCN Phường Hòa Khánh Nam Quận Đà Nẵng',
  'retail list shipping Giao hàng Economy greenmile open customer type http',
  'denied approved policy_accepted planned plan record records stopped',
  // What the parser of YAML says, in quotes.
  /Flow sequence[^⟦]*/g,
  /\b[0-9a-f]{6,16}\b|\/\S+/g,
  /^Usage: .*$/gm,
];

it('says everything of plans and of the policy in a catalogue', async () => {
  const world = await countedWorld();
  const agent = await agentOf(world);
  const planned = async (...rows: object[]) => (await agent.call('plan', { command: 'ship', rows })).result;
  const [one, three] = [await planned(orderNamed('A-1'), orderNamed('A-2')), await planned(orderNamed('C-1'))];
  const [plan, denied] = [String(one.plan), String(three.plan)];
  const totalOf = ({ fees }: { fees?: unknown }) => String(fieldsIn(fees).total);
  const file = (text: string) => writeFileSync(join(world.directory, 'agents.yaml'), text, { mode: 0o600 });
  file('version: 1\nallow: []\napprove:\n  - command: ship\n');
  const left = [
    await leftBy(
      world,
      [
        [['approve', '--list']],
        [['approve']],
        [['approve', 'nobody']],
        [['approve', plan], { env: { CI: '1' } }],
        [['approve', plan, '--yes']],
        [['approve', plan], { terminal: false }],
        [['approve', plan, '--profile', 'shop']],
        [['agents', 'policy', 'check']],
        [['agents', 'policy', 'accept'], { answers: [false] }],
        [['agents', 'policy', 'accept'], { answers: [true] }],
        [['approve', plan], { answers: [totalOf(one)] }],
        [['approve', '--deny', denied]],
        [['approve', denied], { answers: [totalOf(three)] }],
        [['agents', 'log']],
        [['agents', 'policy', 'edit'], { answers: [true], env: { EDITOR: 'false' } }],
        [['agents', 'stop']],
      ],
      given,
    ),
  ];
  for (const text of [
    'version: 2\n',
    'verson: 1\n',
    'version: 1\nallow: [{ command: "" }]\n',
    'a: [',
    '---\n1\n---\n2\n',
  ]) {
    file(text);
    left.push(await leftBy(world, [[['agents', 'policy', 'accept'], { answers: [false] }]], given));
  }
  expect(left).toEqual([{}, {}, {}, {}, {}, {}]);
});
