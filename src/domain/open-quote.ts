/**
 * The offset of the first quote of a JMESPath expression that is never closed; undefined if all are. The library takes
 * such an expression for a comparison with another text, and answers it.
 */
export function openQuote(expression: string): number | undefined {
  let opened: number | undefined;
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression.charAt(at);
    if (opened !== undefined && character === '\\') at += 1;
    else if (opened !== undefined && character === expression.charAt(opened)) opened = undefined;
    else if (opened === undefined && /['"`]/.test(character)) opened = at;
  }
  return opened;
}
