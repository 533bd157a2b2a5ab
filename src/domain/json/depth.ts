/** More levels than any record has; beyond some thousands, whoever walks through a value runs out of stack. */
const MOST_LEVELS = 200;

/** Whether a JSON text, or one that may be, nests its lists and objects deeper than any record of the contract. */
export function isTooDeep(text: string): boolean {
  let level = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x5b || code === 0x7b) {
      level += 1;
      if (level > MOST_LEVELS) return true;
    } else if (code === 0x5d || code === 0x7d) level -= 1;
  }
  return false;
}
