/* The console's page in the tests' own language: its texts are chosen before its script begins. */
import { pageVietnamese } from '../../src/console/page/texts.vi.ts';
import { type Spoken, speak } from '../../src/domain/language.ts';
import { labelled, pseudo } from './pseudo-texts.ts';

/** What can be chosen is in brackets if another language has a word for it, as names of columns are. */
const ofPage = { choice: labelled(pageVietnamese.choice) };

const spoken: Spoken = {
  name: 'qps',
  textsOf: (_, english) => Object.assign(Object(pseudo(english)), ofPage),
};

speak(spoken, 0);
