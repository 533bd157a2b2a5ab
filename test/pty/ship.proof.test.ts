import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { signedInTerminal } from './signed-in-terminal.ts';
import { hasTmux } from './terminal.ts';

/** `SHOPCTL_RECORDING=docs/ship-recording.md npx vitest run test/pty` writes what the screen showed. */
const recording = process.env.SHOPCTL_RECORDING;

describe.skipIf(!hasTmux() && !process.env.CI)('shopctl ship in a terminal of 80 columns', () => {
  it('ships an order, with mistakes in typing, going back, Ctrl-C and --resume', async () => {
    const { terminal, orders } = await signedInTerminal();
    const { type, press, until } = terminal;
    const seen: { readonly what: string; readonly screen: string }[] = [];
    const look = async (what: string, wanted: string | RegExp) => {
      seen.push({ what, screen: await until(wanted) });
    };
    /** Types an answer to a question once it is there. */
    const answer = async (question: string | RegExp, text: string) => {
      await until(question);
      await type(text);
      await press('Enter');
    };

    await answer('$', 'shopctl ship');
    await answer('? Pickup: full name', 'Kho Liên Chiểu');
    await answer('? Pickup: phone', '0905123456');
    await until('? Pickup: place (like');
    await type('lien chieu da n');
    await look('A place is found without its diacritics or its full spelling.', 'Quận Liên Chiểu, Thành phố Đà Nẵng');
    await press('Enter');
    await answer('? Pickup: ward', 'hoa khanh nam');
    await answer('? Pickup: street and number', 'Lô 7 KCN');

    await answer('? Recipient: full name', 'Nguyễn Thị Lam');
    await answer('? Recipient: phone', '<');
    await look(
      'A `<` went back to the name, which is proposed to be changed.',
      /Recipient: full name, or paste the whole message \(Nguyễn Thị Lam\)/,
    );
    await answer('? Recipient: full name', 'Nguyễn Thị Lan');
    await answer(/\? Recipient: phone *$/m, '0901234567');
    await answer('? Recipient: place (like', 'p dich vong cau giay hn');
    await answer('? Recipient: street and number', '12 ngõ 5');
    await answer('? Line 1: product name', 'Áo khoác');
    await until('? Line 1: how many');
    await type('two');
    await press('Enter');
    await look('A mistake is told at once, and what was typed can be corrected.', 'must be a whole number');
    await press('BSpace', 'BSpace', 'BSpace');
    await answer('? Line 1: how many', '3');
    await answer('? Line 1: price of one, before discount', '450.000');
    await until('? Line 1: price of one, after discount');
    await press('C-c');
    await look('Ctrl-C keeps what was answered.', 'saved as draft');

    await answer(/\$ *$/, 'clear');
    await answer(/^\$ *$/, 'shopctl ship --resume');
    await look('Any answer of a draft can be changed, or the questions go on.', '? Continue, or change an answer?');
    await press('Enter');
    await answer('? Line 1: price of one, after discount', '430000');
    await until('? Lines: more?');
    await press('Enter');
    await answer('? Fees: delivery fee', '30000');
    await answer('? Fees: other fees', '0');
    await answer('? Fees: discount', '20000');
    await until('? Parcel');
    await type('1200 30x25x20');
    await look('The weights are seen while they are typed.', /3,000 g volumetric, 1,200 g gross/);
    await press('Enter');
    await look('Cash on delivery is proposed from the total.', /Cash to collect.*\(1300000\)/);
    await press('Enter');
    await until('? Insurance');
    await press('Enter');
    await until('? What may the buyer do before paying?');
    await press('Enter');
    await look('The offers of all carriers, side by side.', '? Service: which one?');
    await press('Down', 'Enter');
    await look('The review: everything can still be changed.', '? Send it with ');
    await press('Enter');
    await look('The order, its parcel, and the same as a command.', /--max-fee \d+[\s\S]*Ship another\?/);
    await answer('Ship another?', 'n');
    await until(/Ship another\?.*[\s\S]*\$ *$/);

    expect(await orders()).toMatchObject([{ total_amount: 1300000, status: 'S', lines: [{ quantity: 3 }] }]);
    for (const { screen } of seen) {
      for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
    const history = await terminal.history();
    expect(history).toContain('3 items 1,350,000 - 80,000 off + 30,000 fees = 1,300,000; 3,000 g; COD 1,300,000');
    expect(history).not.toContain('undefined');
    if (recording === undefined) return;
    const screens = seen.map(({ what, screen }) => `${what}\n\n\`\`\`\n${screen.replaceAll(tmpdir(), '~')}\n\`\`\`\n`);
    const head =
      '# A recording of `shopctl ship`\n\nWhat a terminal of 80 columns shows while an order is shipped against the sandbox, made by\n`SHOPCTL_RECORDING=docs/ship-recording.md npx vitest run test/pty`.\n';
    writeFileSync(recording, [head, ...screens].join('\n'));
  });
});
