import { isUtf8 } from 'node:buffer';

/** The largest text that is read whole, in bytes. */
export const largestText = 64 * 1024 * 1024;

/**
 * Decodes UTF-8 bytes, without a byte-order mark; or returns the offset of the first invalid byte. Nothing is replaced:
 * a name containing U+FFFD would be sent as if it were intended.
 */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { badByte: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  if (isUtf8(buffer)) return { text: text.startsWith('\uFEFF') ? text.slice(1) : text };
  const replaced = Buffer.from(text);
  let offset = 0;
  while (offset < bytes.length && bytes[offset] === replaced[offset]) offset += 1;
  return { badByte: offset };
}
