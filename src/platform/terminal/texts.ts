import { textsIn } from '../../domain/language.ts';

/** What the questions of a terminal say by themselves. */
export const terminalTexts = {
  yes: 'Yes',
  no: 'No',
  /** Refuses any other answer. */
  yesOrNo: 'answer y or n',
  /** Behind a menu that is longer than the screen. */
  moreBelow: ({ hidden }: { hidden: number }) => `${hidden} more below`,
  /** Below the choices that are shown. */
  more: ({ below }: { below: number }) => `${below} more`,
  nothingFound: 'No results found',
  nothingMatches: 'nothing matches; ↓ goes to the choices',
  navigate: 'navigate',
  select: 'select',
};

export const say = textsIn('terminal', terminalTexts);
