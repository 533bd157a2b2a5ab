import { readAmountText } from '../../domain/amounts/amount-text.ts';

/** An amount as people type it; undefined for anything else, including a negative amount. */
export function readAmount(text: string): number | undefined {
  const reading = readAmountText(text);
  return reading.ok && reading.amount >= 0 ? reading.amount : undefined;
}

/** True if a text is an amount, otherwise the error message for the question. */
export function checkAmount(text: string): true | string {
  const reading = readAmountText(text);
  if (!reading.ok) return reading.message;
  return reading.amount >= 0 || 'must not be negative';
}

/** True if a text is a count of at least one, otherwise the error message. */
export function checkCount(text: string): true | string {
  const count = readAmount(text);
  if (count === undefined) return 'must be a whole number, for example 3';
  return count > 0 || 'must be at least 1';
}

/** A text as meant: what was pasted from a sheet or a page may hold tabs, no-break spaces and line ends. */
export function plainWords(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

export function checkText(text: string): true | string {
  return text.trim() !== '' || 'is required';
}

/** A parcel as typed: its weight in grams, and its sides in centimetres if known. */
export interface ParcelText {
  readonly gross_weight: number;
  readonly length?: number;
  readonly width?: number;
  readonly height?: number;
}

const LARGEST = 1_000_000;

function gramsOf(number: string, unit: string | undefined): number | undefined {
  const weight = unit === 'kg' ? Number(number.replace(',', '.')) * 1000 : readAmount(number);
  return weight !== undefined && Number.isFinite(weight) ? Math.round(weight) : undefined;
}

/**
 * Reads `1200`, `1200 30x25x20`, `1.2kg 30 25 20`: the gross weight, then either no side or all three. Undefined while
 * it is incomplete.
 */
export function readParcelText(text: string): ParcelText | undefined {
  const match = /^\s*(\d[\d.,]*)\s*(kg|g)?(?:[\s,;]+(\d+)\s*[x*×\s]\s*(\d+)\s*[x*×\s]\s*(\d+)\s*(?:cm)?)?\s*$/i.exec(
    text,
  );
  const [, number = '', unit, ...sides] = match ?? [];
  const gross = match === null ? undefined : gramsOf(number, unit?.toLowerCase());
  if (gross === undefined || gross <= 0 || gross > LARGEST * 100) return undefined;
  if (sides[0] === undefined) return { gross_weight: gross };
  const [length = 0, width = 0, height = 0] = sides.map(Number);
  if ([length, width, height].some((side) => side <= 0 || side > LARGEST)) return undefined;
  return { gross_weight: gross, length, width, height };
}
