import type PDFDocument from 'pdfkit';

/** Millimetres in points, the unit of all drawing. */
export const mm = (millimetres: number): number => (millimetres * 72) / 25.4;

/** How a text is set. */
export interface TextStyle {
  /** In points. */
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
  /** The most lines it may take; longer text ends with …. */
  readonly lines?: number;
}

/** The names under which the fonts are registered in a document. */
export const fonts = { regular: 'regular', bold: 'bold' } as const;

/** What the typeface has no letter for: it would leave a blank, and nobody would see that something is missing. */
const UNKNOWN =
  /[^ -~\u00a0-\u0107\u010a-\u0113\u0116-\u011b\u011e-\u0121\u0126-\u012b\u012e-\u0131\u0139\u013a\u013d\u013e\u0141-\u0144\u0147\u0148\u014c\u014d\u0150-\u0155\u0158-\u015b\u015e-\u016b\u016e-\u017e\u01a0\u01a1\u01af\u01b0\p{M}\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9–—‘-‚“-„†-•…‰‹›⁄€₫™−≈≠≤≥]/gu;

/**
 * Untrusted text made printable: composed letters (NFC), on one line, without control characters, bidirectional marks
 * and other invisible characters; a character that the typeface lacks is a question mark.
 */
export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{VS}]/gu, '')
    .replace(UNKNOWN, '?')
    .trim();
}

/** Draws slips: text (measured exactly as it is drawn), lines and areas; all in points from the top left. */
export class Pen {
  readonly #document: PDFKit.PDFDocument;

  constructor(document: InstanceType<typeof PDFDocument>) {
    this.#document = document;
  }

  heightOf(text: string, width: number, style: TextStyle): number {
    this.#use(style);
    const height = this.#document.heightOfString(printable(text), { width });
    return style.lines === undefined ? height : Math.min(height, this.#lineHeight() * style.lines);
  }

  text(text: string, x: number, y: number, width: number, style: TextStyle): void {
    this.#use(style);
    // Slightly more than the exact height: a last line that just fits must not be cut.
    const bound = style.lines === undefined ? {} : { height: this.#lineHeight() * style.lines + 0.01, ellipsis: '…' };
    this.#document.text(printable(text), x, y, { width, align: style.align ?? 'left', ...bound });
  }

  rule(x: number, y: number, width: number): void {
    this.#document
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(0.6)
      .stroke();
  }

  /** A cutting line. */
  cut(x0: number, y0: number, x1: number, y1: number): void {
    this.#document.moveTo(x0, y0).lineTo(x1, y1).lineWidth(0.3).dash(2, { space: 3 }).stroke().undash();
  }

  box(x: number, y: number, width: number, height: number): void {
    this.#document.rect(x, y, width, height).lineWidth(1).stroke();
  }

  fill(x: number, y: number, width: number, height: number): void {
    this.#document.rect(x, y, width, height).fill('black');
  }

  #use({ size, bold }: TextStyle): void {
    this.#document.font(bold === true ? fonts.bold : fonts.regular).fontSize(size);
  }

  #lineHeight(): number {
    return this.#document.currentLineHeight(true);
  }
}
