/**
 * What a text is to somebody who looks at it before it is sent: fine; unusual, which is told and sent; or impossible,
 * which is refused. Notes and messages go behind the field's name. `meant` is the text that was probably meant.
 */
export type Look =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unusual'; readonly note: string; readonly meant?: string }
  | { readonly kind: 'impossible'; readonly message: string };

export const fine: Look = { kind: 'fine' };

/** A text that is told, with what was probably meant where that is known. */
export const unusual = (note: string, meant?: string): Look =>
  meant === undefined ? { kind: 'unusual', note } : { kind: 'unusual', note, meant };

/** A text that is refused. */
export const impossible = (message: string): Look => ({ kind: 'impossible', message });
