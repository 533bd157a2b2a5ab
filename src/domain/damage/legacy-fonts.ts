import { syllablesIn } from './syllables.ts';

/** Letters by the characters that stand for them, each pair apart by a blank. */
const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(pairs.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const));

/** TCVN3 (the fonts ".Vn…"): one character for each letter. */
const TCVN3 = table(
  '\u00adư µà ¸á ¶ả ·ã ¹ạ ¨ă »ằ ¾ắ ¼ẳ ½ẵ Æặ ©â Çầ Êấ Èẩ Éẫ Ëậ Ìè Ðé Îẻ Ïẽ Ñẹ ªê Òề Õế Óể Ôễ Öệ ×ì Ýí Øỉ Üĩ Þị ßò ãó áỏ âõ äọ «ô åồ èố æổ çỗ éộ ¬ơ êờ íớ ëở ìỡ îợ ïù óú ñủ òũ ôụ õừ øứ öử ÷ữ ùự úỳ ýý ûỷ üỹ þỵ ®đ §Đ ¡Ă ¢Â £Ê ¤Ô ¥Ơ ¦Ư',
);

/** VNI: a letter and a character for its marks. */
const VNI = table(
  'aøà aùá aûả aõã aïạ aââ aàầ aáấ aåẩ aãẫ aäậ aêă aèằ aéắ aúẳ aüẵ aëặ eøè eùé eûẻ eõẽ eïẹ eâê eàề eáế eåể eãễ eäệ oøò oùó oûỏ oõõ oïọ oâô oàồ oáố oåổ oãỗ oäộ ôøờ ôùớ ôûở ôõỡ ôïợ uøù uùú uûủ uõũ uïụ öøừ öùứ öûử öõữ öïự yøỳ yùý yûỷ yõỹ ôơ öư îỵ æỉ óĩ òị ñđ',
);

const tcvn3 = /[\u00a1-\u00fe]/g;
const vni = /[aeouyôö][\u00e0-\u00fc]|[ôöîæóòñ]/g;

/** Letters that only Unicode has: whoever wrote one did not use a font of former times. */
const ofToday = /[\u0102\u0103\u0110\u0111\u0128\u0129\u0168\u0169\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/;
const mayBeLegacy = /\p{L}[\u00a1-\u00fe]|[\u00a1-\u00fe]\p{L}/u;
/** Units of measure, and not letters: 5 µm. */
const units = /(?<!\p{L})µ[a-z](?!\p{L})/giu;

/**
 * The encoding of the former fonts in which a text was written, if reading it by that makes more of its words Vietnamese
 * syllables than there are; undefined otherwise.
 */
export function legacyOf(text: string): 'TCVN3' | 'VNI' | undefined {
  if (!mayBeLegacy.test(text) || ofToday.test(text)) return undefined;
  const given = text.replaceAll(units, '');
  const own = syllablesIn(given);
  const byTcvn3 = syllablesIn(given.replaceAll(tcvn3, (one) => TCVN3.get(one) ?? one));
  const byVni = syllablesIn(given.toLowerCase().replaceAll(vni, (one) => VNI.get(one) ?? one));
  if (Math.max(byTcvn3, byVni) <= own) return undefined;
  return byTcvn3 > byVni ? 'TCVN3' : 'VNI';
}
