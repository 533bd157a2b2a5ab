/**
 * What a number may be whose decimals could be thousands, such as 12.345 or 350.000: it is never guessed. The message follows what
 * it is about; undefined for any other number.
 */
export function decimalsOrThousands(written: string): string | undefined {
  if (!/^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(written)) return undefined;
  return `may be ${written.replace('.', ',')} or ${Number(written)}`;
}
