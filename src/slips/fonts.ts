import { readAsset } from '../platform/files/asset.ts';

/**
 * The typeface for printing: Be Vietnam Pro, which has every Vietnamese letter (SIL Open Font License, included with
 * the files), with one glyph added to each weight: ▢ (U+25A2), which stands for what it lacks.
 */
export interface Typeface {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

/** Loads both weights; the build places them beside this module. */
export async function loadTypeface(): Promise<Typeface> {
  const [regular, bold] = await Promise.all([
    readAsset(new URL('./fonts/be-vietnam-pro-regular.ttf', import.meta.url)),
    readAsset(new URL('./fonts/be-vietnam-pro-bold.ttf', import.meta.url)),
  ]);
  return { regular, bold };
}
