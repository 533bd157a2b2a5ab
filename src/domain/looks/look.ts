/**
 * The result of checking a text before it is sent: fine; unusual, which is reported but sent; or impossible, which is
 * refused. Notes and messages follow the field's name. `meant` is the probable intended text.
 */
export type Look =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unusual'; readonly note: string; readonly meant?: string }
  | { readonly kind: 'impossible'; readonly message: string };

export const fine: Look = { kind: 'fine' };

/** A text to report, with what was probably meant if that is known. */
export const unusual = (note: string, meant?: string): Look =>
  meant === undefined ? { kind: 'unusual', note } : { kind: 'unusual', note, meant };

/** A text to refuse. */
export const impossible = (message: string): Look => ({ kind: 'impossible', message });
