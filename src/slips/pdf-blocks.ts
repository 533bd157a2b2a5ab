import { code128, type DrawingContext } from 'bwip-js/generic';
import { paperNumber } from './paper.ts';
import type { Slip, SlipAddress, SlipLine } from './slip.ts';
import { mm, type Pen } from './slip.ts';

/** The quiet zone that Code 128 requires on each side, in modules. */
const quietModules = 10;

/** One bar of a barcode: where it begins and how wide it is, in modules. */
interface Bar {
  readonly at: number;
  readonly width: number;
}

/** A barcode as data, including both quiet zones; lengths are in modules, the width of the narrowest bar. */
interface Bars {
  readonly bars: readonly Bar[];
  readonly modules: number;
}

/** A drawing context for the library that records the bars, one unit per module, and draws nothing. */
function recorder(): DrawingContext<Bars> {
  const bars: Bar[] = [];
  let modules = 0;
  return {
    scale: () => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width) => {
      modules = width;
    },
    // A bar is a vertical line along its middle, rounded up to a whole unit.
    line: (x, _top, _x1, _bottom, width) => bars.push({ at: x - Math.ceil(width / 2) + quietModules, width }),
    polygon: () => {},
    hexagon: () => {},
    ellipse: () => {},
    fill: () => {},
    text: () => {},
    end: () => ({ bars, modules: modules + 2 * quietModules }),
  };
}

/** The Code 128 symbol of a text; undefined if the text has a character that Code 128 cannot encode. */
export function barsOf(text: string): Bars | undefined {
  if (!/^[\x20-\x7e]+$/.test(text)) return undefined;
  return code128({ bcid: 'code128', text, scaleX: 1, scaleY: 1, includetext: false }, recorder());
}

/** A part of a slip that is not split across pages: its height at a given width, and how to draw it; all in points. */
export interface Block {
  height(width: number): number;
  draw(x: number, y: number, width: number): void;
}

/** Text in one style over the full width; `lines` is the maximum number of lines, and longer text is cut with …. */
interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
  readonly lines?: number;
  readonly indent?: number;
  readonly after?: number;
}

function textBlock(pen: Pen, text: string, style: TextStyle): Block {
  const { indent = 0, after = 0 } = style;
  return {
    height: (width) => pen.heightOf(text, width - indent, style) + after,
    draw: (x, y, width) => pen.text(text, x + indent, y, width - indent, style),
  };
}

/** A horizontal rule with space around it. */
function ruleBlock(pen: Pen): Block {
  const air = mm(1.2);
  return {
    height: () => 2 * air,
    draw: (x, y, width) => pen.rule(x, y + air, width),
  };
}

/** Text on the left, and bold text right-aligned on the same line. */
function pairBlock(pen: Pen, left: string, right: string, size: number): Block {
  const share = 0.62;
  const height = (width: number) =>
    Math.max(
      pen.heightOf(left, width * share, { size, bold: true, lines: 2 }),
      pen.heightOf(right, width * (1 - share), { size, lines: 2 }),
    );
  return {
    height,
    draw: (x, y, width) => {
      pen.text(left, x, y, width * share, { size, bold: true, lines: 2 });
      pen.text(right, x + width * share, y, width * (1 - share), { size, align: 'right', lines: 2 });
    },
  };
}

/** The widest module that suits a desktop scanner; a longer code gets narrower ones. */
const widestModule = mm(0.5);

function barcodeBlock(pen: Pen, code: string): Block {
  const symbol = barsOf(code);
  const barHeight = symbol === undefined ? 0 : mm(13);
  const air = mm(1.5);
  const style = { size: 12, bold: true, align: 'center', lines: 2 } as const;
  return {
    height: (width) => air + barHeight + mm(1) + pen.heightOf(code, width, style),
    draw: (x, y, width) => {
      if (symbol !== undefined) {
        const module = Math.min(widestModule, width / symbol.modules);
        const left = x + (width - module * symbol.modules) / 2;
        for (const bar of symbol.bars) pen.fill(left + bar.at * module, y + air, bar.width * module, barHeight);
      }
      pen.text(code, x, y + air + barHeight + mm(1), width, style);
    },
  };
}

function cashBlock(pen: Pen, codAmount: number | undefined): Block {
  const height = mm(9);
  const large = { size: 16, bold: true, lines: 1 } as const;
  return {
    height: () => height + mm(1.5),
    draw: (x, y, width) => {
      pen.box(x, y, width, height);
      const [left, within] = [x + mm(2), width - mm(4)];
      const without = pen.say(codAmount === undefined ? 'cashUnknown' : 'noCash');
      if (!codAmount) return pen.text(without, left, y + mm(1.4), within, { ...large, align: 'center' });
      const [label, room, style] = [pen.say('cash'), width / 2, { size: 9, lines: 2 }];
      pen.text(label, left, y + (height - pen.heightOf(label, room, style)) / 2, room, style);
      pen.text(`${paperNumber(codAmount)} ₫`, left, y + mm(1.4), within, { ...large, align: 'right' });
    },
  };
}

function lineBlock(pen: Pen, { name, variant, quantity }: SlipLine): Block {
  const column = mm(11);
  const what = variant === '' ? name : `${name} (${variant})`;
  const style = { size: 8.5, lines: 6 };
  return {
    height: (width) => pen.heightOf(what, width - column, style) + mm(0.8),
    draw: (x, y, width) => {
      pen.text(`${paperNumber(quantity)} ×`, x, y, column - mm(1.5), {
        size: 8.5,
        bold: true,
        align: 'right',
        lines: 1,
      });
      pen.text(what, x + column, y, width - column, style);
    },
  };
}

function addressBlocks(pen: Pen, label: string, { name, phone, address }: SlipAddress, large: boolean): Block[] {
  const who = large ? [name, phone] : [[name, phone].filter(Boolean).join(' · ')];
  return [
    textBlock(pen, label, { size: 6.5, lines: 1 }),
    ...who.filter(Boolean).map((text) => textBlock(pen, text, { size: large ? 12 : 8, bold: large, lines: 3 })),
    textBlock(pen, address, { size: large ? 9.5 : 7.5, lines: 5, after: mm(1) }),
  ];
}

/** What the buyer may do before paying, where it is said. */
const tryOnText = (pen: Pen, tryOn: string): string[] =>
  tryOn === 'none' || tryOn === 'open' || tryOn === 'try' ? [pen.say(tryOn)] : [];

/** Both names of the order, the caller's code before its id as everywhere, then the service's own code, and its day. */
function names({ externalCode, externalId, code, day }: Slip): string {
  return [externalCode, externalId, code, day].filter((name) => name !== '').join(' · ');
}

/** The header of a slip, on its first page only. */
export function headBlocks(pen: Pen, slip: Slip): Block[] {
  const items = slip.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const weight = slip.weightGrams > 0 ? ` · ${paperNumber(slip.weightGrams)} g` : '';
  return [
    pairBlock(pen, [slip.carrier, slip.service].filter(Boolean).join(' · '), slip.sender.name, 9),
    ...(slip.shippingCode === '' ? [] : [barcodeBlock(pen, slip.shippingCode)]),
    textBlock(pen, names(slip), { size: 8, align: 'center', lines: 3 }),
    ruleBlock(pen),
    ...addressBlocks(pen, pen.say('recipient'), slip.recipient, true),
    ...addressBlocks(pen, pen.say('sender'), slip.sender, false),
    cashBlock(pen, slip.codAmount),
    ...tryOnText(pen, slip.tryOn).map((text) => textBlock(pen, text, { size: 8, lines: 2 })),
    ...(slip.note === '' ? [] : [textBlock(pen, `${pen.say('note')}: ${slip.note}`, { size: 8, lines: 8 })]),
    ruleBlock(pen),
    textBlock(pen, `${pen.say('items', { count: items })}${weight}`, { size: 7.5, lines: 1, after: mm(0.8) }),
  ];
}

/** The header of a slip's second and later pages. */
export function continuedBlocks(pen: Pen, slip: Slip): Block[] {
  return [
    pairBlock(pen, slip.shippingCode || names(slip), slip.recipient.name, 9),
    textBlock(pen, names(slip), { size: 8, lines: 2 }),
    ruleBlock(pen),
  ];
}

/** The goods of a slip, one block per line. */
export function lineBlocks(pen: Pen, slip: Slip): Block[] {
  return slip.lines.map((line) => lineBlock(pen, line));
}
