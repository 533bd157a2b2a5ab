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

/**
 * Untrusted text made printable: composed letters (NFC), on one line, without control characters, bidirectional marks
 * and other invisible characters.
 */
export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
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
