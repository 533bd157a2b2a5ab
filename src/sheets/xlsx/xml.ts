import sax from 'sax';
import { textOf } from '../formats/text-of.ts';

/** What a reader of XML does with it; tags come without their namespace's prefix. */
export interface XmlHandler {
  open?(tag: string, attributes: Readonly<Record<string, string>>): void;
  /** A piece of the text in the innermost element; long texts come in several. */
  text?(text: string): void;
  close?(tag: string): void;
}

const bare = (tag: string) => tag.slice(tag.indexOf(':') + 1);

/**
 * Parses XML piece by piece, in time that grows with its length alone, and returns control after each piece. No document
 * type and no entities besides the predefined ones. Throws an Error for text that is not such XML.
 */
export async function* readXml(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  const parser = sax.parser(true, { position: false });
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new SyntaxError('there is a document type');
  };
  parser.onopentag = ({ name: tag, attributes }) => {
    handler.open?.(bare(tag), attributes as Readonly<Record<string, string>>);
  };
  parser.ontext = (text) => handler.text?.(text);
  parser.oncdata = (text) => handler.text?.(text);
  parser.onclosetag = (tag) => handler.close?.(bare(tag));
  let isEmpty = true;
  for await (const text of textOf({ name, bytes }).chunks) {
    isEmpty &&= text === '';
    parser.write(text);
    yield;
  }
  if (!isEmpty) parser.close();
}

/** `readXml` for a part that is read as a whole. */
export async function readWholeXml(name: string, bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(name, bytes, handler));
}
