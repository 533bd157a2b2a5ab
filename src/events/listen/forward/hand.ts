/**
 * What a target did with a change. `answered` tells a refusal from a target that is unreachable; `answer` is how it
 * accepted, in words.
 */
export type HandVerdict =
  | { readonly accepted: true; readonly answer: string }
  | { readonly accepted: false; readonly answered: boolean; readonly error: string };

/** Hands one change to a target: its id, and its JSON text. Rejects only when the signal is aborted. */
export type Hand = (
  change: { readonly id: string; readonly text: string },
  signal: AbortSignal,
) => Promise<HandVerdict>;

/** How many changes are in flight to one target at once, each of a different record. */
export const MOST_AT_ONCE = { url: 16, command: 4 } as const;
