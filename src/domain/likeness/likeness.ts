/**
 * The result of checking a text before it is sent: fine; unusual, which is reported but sent; or impossible, which is
 * refused. Notes and messages follow the field's name. `code` says of which kind a note is, and `meant` is the probable
 * intended text.
 */
export type Look =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unusual'; readonly code: string; readonly note: string; readonly meant?: string }
  | { readonly kind: 'impossible'; readonly message: string };

export const fine: Look = { kind: 'fine' };

/** A text to report, by the code of what is said of it, with what was probably meant if that is known. */
export const unusual = (code: string, note: string, meant?: string): Look =>
  meant === undefined ? { kind: 'unusual', code, note } : { kind: 'unusual', code, note, meant };

/** A text to refuse. */
export const impossible = (message: string): Look => ({ kind: 'impossible', message });
