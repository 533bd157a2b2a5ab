import { styleText } from 'node:util';

/** The facts that determine colour on one stream. */
export interface ColourFacts {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether `--no-color` was given. */
  readonly noColour: boolean;
}

/**
 * Whether to use colour on a stream: `--no-color`, then NO_COLOR, then FORCE_COLOR, then the terminal and TERM decide.
 */
export function colourOn({ isTerminal, env, noColour }: ColourFacts): boolean {
  if (noColour) return false;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !/^(?:0|false|no)$/i.test(env.FORCE_COLOR);
  return isTerminal && env.TERM !== 'dumb';
}

/**
 * The styles in use. Each accompanies a word or a position that says the same, since colour never carries meaning
 * alone.
 */
export type StyleName = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

/**
 * The text in that style, or unchanged without colour. Whether there is colour was decided before; no stream is
 * queried.
 */
export function styled(text: string, style: StyleName, colour: boolean): string {
  return colour && text !== '' ? styleText(style, text, { validateStream: false }) : text;
}
