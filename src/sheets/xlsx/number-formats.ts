/** How a format shows a number; undefined for one that it shows by its digits alone. */
export type ShowNumber = (number: number) => string | undefined;

/** Beyond it a number has lost digits, and is shown as it is. */
const MOST_SHOWN = 1e15;

/** The parts of a format: texts, blanks as wide as a letter, what is in brackets, the exponent, and single signs. */
const TOKEN = /"([^"]*)"|\\(.)|[_*].|\[([^\]]*)\]|E[+-]|(.)/gsu;

/** A sign that stands for itself in a format, without quotes. */
const ITSELF = /^[-+()$:!^&'~{}<>= \p{L}]$/u;

interface Part {
  /** Whether it is a digit, and then `0` or `#`; else the text itself. */
  readonly isDigit: boolean;
  readonly text: string;
}

/** The parts of a format of digits and texts, such as `"SP"0000` and 0000-000-000; undefined for any other. */
function partsOf(section: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (const [, quoted, escaped, inside, sign] of section.matchAll(TOKEN)) {
    const text =
      quoted ?? escaped ?? (inside?.startsWith('$') ? inside.slice(1).replace(/-[\dA-F]*$/i, '') : undefined);
    if (text !== undefined) parts.push({ isDigit: false, text });
    else if (inside !== undefined && /^[<>=]/.test(inside)) return undefined;
    else if (sign === '0' || sign === '#') parts.push({ isDigit: true, text: sign });
    else if (sign !== undefined && ITSELF.test(sign)) parts.push({ isDigit: false, text: sign });
    else if (sign !== undefined) return undefined;
  }
  const digits = parts.filter(({ isDigit }) => isDigit);
  const isPlain = parts.length === digits.length && digits.filter(({ text }) => text === '0').length < 2;
  return digits.length === 0 || isPlain ? undefined : parts;
}

/** Digits put into a format from its end; what it has no place for stands at its first one. */
function filled(parts: readonly Part[], number: number): string {
  const places = parts.flatMap(({ isDigit, text }) => (isDigit ? [text] : []));
  const fewest = places.length - (places.indexOf('0') < 0 ? places.length : places.indexOf('0'));
  const digits = String(number).padStart(fewest, '0').padStart(places.length, ' ');
  const surplus = digits.length - places.length;
  let at = 0;
  return parts
    .map(({ isDigit, text }) => {
      if (!isDigit) return text;
      const from = at === 0 ? 0 : at + surplus;
      at += 1;
      return digits.slice(from, at + surplus).trim();
    })
    .join('')
    .trim();
}

/** How many digits a format shows behind the point. */
const decimalsIn = (section: string) => /\.([0#]+)/.exec(section)?.[1]?.length ?? 0;

/**
 * How a format (ECMA-376, 18.8.31) shows the numbers of cells, where that is another text than their digits: zeros before
 * them, texts beside and between them, percent, and an exponent.
 */
export function showNumber(code: string): ShowNumber {
  const [section = ''] = /^(?:"[^"]*"|\\.|[^;"])*/s.exec(code) ?? [];
  const bare = section.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/gs, '');
  if (/general/i.test(bare)) return () => undefined;
  const decimals = decimalsIn(bare);
  if (/E[+-]/i.test(bare)) return (number) => number.toExponential(decimals).toUpperCase();
  if (bare.includes('%')) return (number) => `${(number * 100).toFixed(decimals)}%`;
  const parts = partsOf(section);
  if (parts === undefined) return () => undefined;
  return (number) =>
    Number.isInteger(number) && number >= 0 && number < MOST_SHOWN ? filled(parts, number) : undefined;
}
