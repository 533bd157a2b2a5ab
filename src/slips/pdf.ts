import PDFDocument from 'pdfkit';
import type { PaperLanguage } from '../domain/paper.ts';
import { readAsset } from '../platform/files/asset.ts';
import { paperNumber, paperTexts } from './paper.ts';
import { type Block, continuedBlocks, headBlocks, lineBlocks } from './pdf-blocks.ts';
import { fonts, mm, Pen, type Pick, picksOf, type Slip, type SlipSize } from './slip.ts';

/**
 * The typeface for printing: Be Vietnam Pro, which has every Vietnamese letter (SIL Open Font License, included with
 * the files), with one glyph added to each weight: ▢ (U+25A2), which stands for what it lacks.
 */
interface Typeface {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

/** Loads both weights; the build places them beside this module. */
async function loadTypeface(): Promise<Typeface> {
  const [regular, bold] = await Promise.all([
    readAsset(new URL('./fonts/be-vietnam-pro-regular.ttf', import.meta.url)),
    readAsset(new URL('./fonts/be-vietnam-pro-bold.ttf', import.meta.url)),
  ]);
  return { regular, bold };
}

const margin = mm(5);
const footerHeight = mm(5);

/** A rectangle of paper on which one part of a slip is drawn. */
interface Panel {
  readonly width: number;
  /** Infinity on a roll. */
  readonly height: number;
}

const a6: Panel = { width: mm(105), height: mm(148) };
const panels: Readonly<Record<SlipSize, Panel>> = { a6, a4: a6, '80mm': { width: mm(80), height: Infinity } };

const heightOf = (blocks: readonly Block[], width: number) =>
  blocks.reduce((sum, block) => sum + block.height(width), 0);

/**
 * Distributes the blocks of a slip over as many panels as it needs: goods that do not fit continue below a short
 * header.
 */
function paginate(pen: Pen, slip: Slip, panel: Panel): Block[][] {
  const width = panel.width - 2 * margin;
  const room = panel.height - 2 * margin - footerHeight;
  const pages = [headBlocks(pen, slip)];
  let used = heightOf(pages[0] ?? [], width);
  for (const block of lineBlocks(pen, slip)) {
    const height = block.height(width);
    if (used + height > room) {
      const page = continuedBlocks(pen, slip);
      used = heightOf(page, width);
      pages.push(page);
    }
    pages.at(-1)?.push(block);
    used += height;
  }
  return pages;
}

function drawPanel(pen: Pen, blocks: readonly Block[], x: number, y: number, panel: Panel, foot: string): void {
  const width = panel.width - 2 * margin;
  let at = y + margin;
  for (const block of blocks) {
    block.draw(x + margin, at, width);
    at += block.height(width);
  }
  const footer = Number.isFinite(panel.height) ? y + panel.height - margin - mm(3) : at + mm(2);
  pen.text(foot, x + margin, footer, width, { size: 5.5, align: 'center', lines: 2 });
}

interface Drawing {
  readonly document: PDFKit.PDFDocument;
  readonly pen: Pen;
  finish(): Promise<Uint8Array>;
}

/** A document without pages; the same slips give the same bytes. */
async function newDrawing(kind: 'slip' | 'pickList', language: PaperLanguage): Promise<Drawing> {
  const say = paperTexts(language);
  const typeface = await loadTypeface();
  const document = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    // None at first: otherwise pdfkit would open one of its font files.
    font: '',
    info: {
      Title: say(kind),
      Creator: 'shopctl',
      Producer: 'shopctl',
      CreationDate: new Date(0),
      ModDate: new Date(0),
    },
  });
  document.registerFont(fonts.regular, typeface.regular);
  document.registerFont(fonts.bold, typeface.bold);
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });
  return {
    document,
    pen: new Pen(document, say),
    finish: async () => {
      document.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

/** One packing slip per order, in the given order, as a PDF. */
export async function slipsPdf(
  slips: readonly Slip[],
  size: SlipSize,
  language: PaperLanguage = 'vi',
): Promise<Uint8Array> {
  const { document, pen, finish } = await newDrawing('slip', language);
  const disclaimer = pen.say('disclaimer');
  const panel = panels[size];
  let cell = 0;
  for (const slip of slips) {
    const pages = paginate(pen, slip, panel);
    pages.forEach((blocks, index) => {
      const foot = pages.length === 1 ? disclaimer : `${index + 1}/${pages.length} · ${disclaimer}`;
      if (size === 'a4') {
        if (cell % 4 === 0) newSheet(document, pen);
        drawPanel(pen, blocks, (cell % 2) * mm(105), cell % 4 < 2 ? 0 : mm(148.5), panel, foot);
        cell += 1;
        return;
      }
      const length = heightOf(blocks, panel.width - 2 * margin) + 2 * margin + footerHeight;
      document.addPage({ size: [panel.width, Number.isFinite(panel.height) ? panel.height : length], margin: 0 });
      drawPanel(pen, blocks, 0, 0, panel, foot);
    });
  }
  return finish();
}

/** A sheet of A4 with cutting lines between four slips. */
function newSheet(document: PDFKit.PDFDocument, pen: Pen): void {
  document.addPage({ size: [mm(210), mm(297)], margin: 0 });
  pen.cut(mm(105), 0, mm(105), mm(297));
  pen.cut(0, mm(148.5), mm(210), mm(148.5));
}

const pickStyle = { size: 10, lines: 3 } as const;
const pickColumns = { quantity: mm(18), orders: mm(24) };

/** What to fetch from the shelves for all slips, by product and variant, as a PDF on A4. */
export async function pickListPdf(
  slips: readonly Slip[],
  day: string,
  language: PaperLanguage = 'vi',
): Promise<Uint8Array> {
  const { document, pen, finish } = await newDrawing('pickList', language);
  const picks = picksOf(slips);
  const items = picks.reduce((sum, { quantity }) => sum + quantity, 0);
  const [left, width, bottom] = [mm(15), mm(180), mm(280)];
  let y = Infinity;
  for (const pick of picks) {
    const what = pick.variant === '' ? pick.name : `${pick.name} (${pick.variant})`;
    const nameWidth = width - pickColumns.quantity - pickColumns.orders;
    const height = pen.heightOf(what, nameWidth, pickStyle) + mm(2.5);
    if (y + height > bottom) y = newPickPage(document, pen, { left, width, slips: slips.length, items, day });
    drawPick(pen, pick, what, { left, y, nameWidth });
    y += height;
    pen.rule(left, y - mm(1.2), width);
  }
  if (picks.length === 0) newPickPage(document, pen, { left, width, slips: slips.length, items, day });
  return finish();
}

interface PickHead {
  readonly left: number;
  readonly width: number;
  readonly slips: number;
  readonly items: number;
  readonly day: string;
}

function newPickPage(document: PDFKit.PDFDocument, pen: Pen, { left, width, slips, items, day }: PickHead): number {
  document.addPage({ size: 'A4', margin: 0 });
  pen.text(pen.say('pickList'), left, mm(14), width, { size: 14, bold: true, lines: 1 });
  pen.text(pen.say('picked', { items, orders: slips, day }), left, mm(21), width, { size: 9, lines: 1 });
  pen.rule(left, mm(27), width);
  return mm(29);
}

function drawPick(pen: Pen, pick: Pick, what: string, at: { left: number; y: number; nameWidth: number }): void {
  const { left, y, nameWidth } = at;
  const quantity = { size: 11, bold: true, align: 'right', lines: 1 } as const;
  pen.text(`${paperNumber(pick.quantity)} ×`, left, y, pickColumns.quantity - mm(3), quantity);
  pen.text(what, left + pickColumns.quantity, y, nameWidth, pickStyle);
  pen.text(pen.say('orders', { count: pick.orders }), left + pickColumns.quantity + nameWidth, y, pickColumns.orders, {
    size: 9,
    align: 'right',
    lines: 1,
  });
}
