import { say } from '../texts.ts';

/** What is wrong with a text that is not JSON, and where: `offset` counts UTF-16 units from 0. */
export interface JsonFault {
  fault: string;
  offset: number;
}

const whiteSpace = /[ \t\n\r]*/y;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Ends at the closing quote, or at the first character that a string must not contain. */
const plainText = /[^"\\\u0000-\u001f]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds the first syntax error in a text that JSON.parse refused. The engine's own message is not usable: it quotes the
 * text, and it differs between versions of Node. Keeps an explicit stack, so deep nesting cannot overflow the engine's.
 */
export function findJsonFault(text: string): JsonFault {
  const open: ('[' | '{')[] = [];
  let offset = skip(whiteSpace, text, 0);
  for (;;) {
    // A value is expected here.
    const start = text[offset];
    if (start === '[' || start === '{') {
      offset = skip(whiteSpace, text, offset + 1);
      if (text[offset] !== (start === '[' ? ']' : '}')) {
        open.push(start);
        if (start === '[') continue;
        const key = readKey(text, offset);
        if (typeof key !== 'number') return key;
        offset = key;
        continue;
      }
      offset += 1;
    } else {
      const scalar = start === '"' ? readString(text, offset) : readLiteral(text, offset);
      if (typeof scalar !== 'number') return scalar;
      offset = scalar;
    }
    // After a value: close the containers that end here, until a comma leads to the next value.
    const next = readSeparator(text, offset, open);
    if (typeof next !== 'number') return next;
    offset = next;
  }
}

function readSeparator(text: string, from: number, open: ('[' | '{')[]): number | JsonFault {
  let offset = skip(whiteSpace, text, from);
  for (;;) {
    const container = open.at(-1);
    if (container === undefined) return { fault: say().json.afterValue, offset };
    const separator = text[offset];
    if (separator === ',') {
      offset = skip(whiteSpace, text, offset + 1);
      return container === '[' ? offset : readKey(text, offset);
    }
    const close = container === '[' ? ']' : '}';
    if (separator !== close) return { fault: atEnd(text, offset, say().json.separator({ close })), offset };
    open.pop();
    offset = skip(whiteSpace, text, offset + 1);
  }
}

function readKey(text: string, offset: number): number | JsonFault {
  if (text[offset] !== '"') return { fault: atEnd(text, offset, say().json.key), offset };
  const end = readString(text, offset);
  if (typeof end !== 'number') return end;
  const colon = skip(whiteSpace, text, end);
  if (text[colon] !== ':') return { fault: atEnd(text, colon, say().json.colon), offset: colon };
  return skip(whiteSpace, text, colon + 1);
}

function readLiteral(text: string, offset: number): number | JsonFault {
  const end = skip(literal, text, offset);
  return end > offset ? end : { fault: atEnd(text, offset, say().json.value), offset };
}

function readString(text: string, start: number): number | JsonFault {
  let offset = skip(plainText, text, start + 1);
  while (text[offset] === '\\') {
    const behind = skip(escapeSequence, text, offset);
    if (behind === offset) return { fault: say().json.escape, offset };
    offset = skip(plainText, text, behind);
  }
  if (text[offset] === '"') return offset + 1;
  return { fault: atEnd(text, offset, say().json.control), offset };
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return offset + (pattern.exec(text)?.[0].length ?? 0);
}

function atEnd(text: string, offset: number, fault: string): string {
  return offset >= text.length ? say().json.end : fault;
}
