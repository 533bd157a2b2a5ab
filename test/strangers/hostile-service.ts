import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { httpAnswer } from '../support/raw-server.ts';

/** How a hostile service answers a request, and what must become of a read and of a write. */
export interface Attack {
  readonly name: string;
  /** Writes to the socket whatever it likes. */
  readonly answer: (socket: Socket) => void;
  /** The exit of a read; 0 where the answer is as good as another. */
  readonly read: number;
  /** The exit of a write that was sent; unknown (10) unless the answer proves more. */
  readonly write: number;
  /** What the one sentence of the read says. */
  readonly says?: RegExp;
  /** It is large, slow or without an end: a process of its own is measured. Elsewhere nothing can be lost but an answer. */
  readonly isLarge?: true;
}

const good = '{"id":"1","external_id":"CRM-1","full_name":"An"}';
const crlf = '\r\n';
const head = (lines: readonly string[], status = 'HTTP/1.1 200 OK') => [status, ...lines, '', ''].join(crlf);
const json = 'content-type: application/json';
const whole = httpAnswer(200, good);

/** Answers with fixed bytes, and closes where nothing else would end the answer. */
const bytes =
  (text: string | Buffer, close = false) =>
  (socket: Socket) => {
    socket.write(text);
    if (close) socket.end();
  };

const body = (text: string | Buffer, type = json) =>
  bytes(Buffer.concat([Buffer.from(head([type, `content-length: ${Buffer.byteLength(text)}`])), Buffer.from(text)]));

/** Writes pieces for as long as somebody listens. */
function flood(beginning: string, piece: string | Buffer) {
  return (socket: Socket) => {
    socket.write(beginning);
    const pour = () => {
      while (!socket.destroyed && socket.write(piece)) {
        // Until the system takes no more.
      }
      if (!socket.destroyed) socket.once('drain', pour);
    };
    pour();
  };
}

/** Writes a text a character at a time, so slowly that no time limit of a single byte is met. */
function drip(text: string, everyMs: number) {
  return (socket: Socket) => {
    let position = 0;
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer);
      else if (position < text.length) socket.write(text[position++] ?? '');
    }, everyMs);
    socket.once('close', () => clearInterval(timer));
  };
}

const mebi = 1024 * 1024;
const fill = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length));
const noHttp = {
  read: 7,
  write: 10,
  says: /is not HTTP|closed before the whole answer|did not answer|no secure|too large/,
};
const late = { read: 7, write: 10, says: /did not answer within 2 s/, isLarge: true } as const;
const large = { read: 7, write: 10, says: /is larger than \d+ bytes/ };
const broken = { read: 13, write: 10, says: /the service answered 200 with/ };
/** Nothing of it proves a write. */
const wrong = { read: 13, write: 10, says: /is not what the contract says/ };
const fine = { read: 0, write: 0 };

const framing: readonly Attack[] = [
  ...[
    'HTTP/1.1 000',
    'HTTP/1.1 099 X',
    'HTTP/1.1 99 X',
    'HTTP/1.1 1000 X',
    'HTTP/9.9 200 OK',
    'HTP/1.1 200 OK',
    'HTTP/1.1 -1 X',
    'ICY 200 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 20x OK',
  ].map((line) => ({
    name: `the status line ${JSON.stringify(line)}`,
    answer: bytes(`${line}${crlf}content-length: 2${crlf}${crlf}{}`, true),
    ...noHttp,
  })),
  { name: 'nothing, and the end', answer: (socket) => socket.end(), ...noHttp },
  { name: 'a reset', answer: (socket) => socket.resetAndDestroy(), ...noHttp },
  { name: 'the banner of another protocol', answer: bytes('SSH-2.0-OpenSSH_9.6\r\n', true), ...noHttp },
  { name: 'an alert of TLS', answer: bytes(Buffer.from([21, 3, 3, 0, 2, 2, 40]), true), ...noHttp },
  { name: 'a header without a colon', answer: bytes(head(['nonsense']), true), ...noHttp },
  { name: 'a header with a zero in it', answer: bytes(head(['a: b\u0000c', 'content-length: 0']), true), ...noHttp },
  { name: 'a header of 100 KB', answer: bytes(head([`a: ${'x'.repeat(100_000)}`, 'content-length: 0'])), ...noHttp },
  {
    name: 'twenty thousand headers',
    answer: bytes(head(Array.from({ length: 20_000 }, (_, n) => `h${n}: 1`))),
    ...noHttp,
    isLarge: true,
  },
  {
    name: 'endless headers',
    answer: flood(`HTTP/1.1 200 OK${crlf}`, `a: ${'x'.repeat(1000)}${crlf}`),
    ...noHttp,
    isLarge: true,
  },
  {
    name: 'two different lengths',
    answer: bytes(`${head(['content-length: 2', 'content-length: 5'])}{}`, true),
    ...noHttp,
  },
  { name: 'a negative length', answer: bytes(`${head(['content-length: -1'])}{}`, true), ...noHttp },
  { name: 'a length that is not a number', answer: bytes(`${head(['content-length: two'])}{}`, true), ...noHttp },
  {
    name: 'a length beyond all numbers',
    answer: bytes(`${head([`content-length: ${'9'.repeat(40)}`])}{}`, true),
    ...noHttp,
  },
  {
    name: 'a length and chunks',
    answer: bytes(
      `${head([json, 'content-length: 2', 'transfer-encoding: chunked'])}2${crlf}{}${crlf}0${crlf}${crlf}`,
      true,
    ),
    ...noHttp,
  },
  { name: 'less than its length', answer: bytes(`${head([json, 'content-length: 100'])}${good}`, true), ...noHttp },
  {
    name: 'chunks of no size',
    answer: bytes(`${head([json, 'transfer-encoding: chunked'])}zz${crlf}{}${crlf}`, true),
    ...noHttp,
  },
  {
    name: 'a chunk of 2^64 bytes',
    answer: bytes(`${head([json, 'transfer-encoding: chunked'])}ffffffffffffffffff${crlf}{}`, true),
    ...noHttp,
  },
  {
    name: 'a chunk that is cut',
    answer: bytes(`${head([json, 'transfer-encoding: chunked'])}100${crlf}{}`, true),
    ...noHttp,
  },
  {
    name: 'an endless extension of a chunk',
    answer: flood(`${head([json, 'transfer-encoding: chunked'])}2;a=`, 'x'.repeat(65_536)),
    ...late,
    says: /./,
  },
  {
    name: 'another protocol to switch to',
    answer: bytes(head(['upgrade: h2c', 'connection: upgrade'], 'HTTP/1.1 101 Switching Protocols'), true),
    ...noHttp,
  },
  {
    name: '204 without a body',
    answer: bytes(head([], 'HTTP/1.1 204 No Content')),
    read: 13,
    write: 10,
    says: /204 with an empty body/,
  },
  {
    name: 'a body that ends with the connection',
    answer: bytes(`${head([json, 'connection: close'])}${good}`, true),
    ...fine,
  },
  { name: 'one 100 Continue', answer: bytes(`HTTP/1.1 100 Continue${crlf}${crlf}${whole}`), ...fine },
  {
    name: 'many 100 Continue',
    answer: bytes(`${fill(`HTTP/1.1 100 Continue${crlf}a: b${crlf}${crlf}`, 20_000)}${whole}`),
    ...fine,
    isLarge: true,
  },
  { name: '100 Continue a byte at a time', answer: drip(`HTTP/1.1 100 Continue${crlf}${crlf}${whole}`, 1), ...fine },
  { name: 'early hints', answer: bytes(`HTTP/1.1 103 Early Hints${crlf}link: x${crlf}${crlf}${whole}`), ...fine },
  { name: '100 Continue for ever', answer: flood('', `HTTP/1.1 100 Continue${crlf}${crlf}`), ...late },
];

const bombs: readonly Attack[] = [
  { name: '64 MiB that are announced', answer: bytes(head([json, `content-length: ${64 * mebi}`])), ...large },
  {
    name: '64 MiB in chunks',
    answer: flood(head([json, 'transfer-encoding: chunked']), `10000${crlf}${'a'.repeat(65_536)}${crlf}`),
    ...large,
  },
  { name: 'a body without an end', answer: flood(head([json]), '['.repeat(65_536)), ...large },
  {
    name: 'a bomb of gzip',
    answer: body(gzipSync(Buffer.alloc(8 * mebi)), `${json}${crlf}content-encoding: gzip`),
    ...broken,
    says: /compressed \(content-encoding: gzip\)/,
  },
  {
    name: '200,000 levels of arrays',
    answer: body('['.repeat(200_000) + ']'.repeat(200_000)),
    ...broken,
    says: /nested deeper than/,
  },
  {
    name: '100,000 levels of objects',
    answer: body(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    ...broken,
    says: /nested deeper than/,
  },
  { name: 'levels that never close', answer: body('{"a":['.repeat(600_000)), ...broken, says: /nested deeper than/ },
  {
    name: 'a million empty objects',
    answer: body(`{"id":"1","external_id":"CRM-1","x":[${fill('{},', 3.9 * mebi)}{}]}`),
    ...broken,
    says: /more than \d+ values/,
  },
  {
    name: 'as many values as are read',
    answer: body(`{"id":"1","external_id":"CRM-1","x":[${fill('{},', 740_000)}{}]}`),
    ...fine,
  },
  {
    name: 'many fields of the wrong type',
    answer: body(`{"id":[],"code":{},"x":[${fill('{},', 700_000)}{}]}`),
    ...wrong,
  },
  {
    name: '100,000 fields',
    answer: body(`{"id":"1","external_id":"CRM-1",${Array.from({ length: 100_000 }, (_, n) => `"f${n}":1`).join()}}`),
    ...fine,
  },
  {
    name: 'a text of 3.9 MiB',
    answer: body(`{"id":"1","external_id":"CRM-1","full_name":"${'ễ'.repeat(1.3 * mebi)}"}`),
    ...fine,
  },
  {
    name: '3.9 MiB of escapes',
    answer: body(`{"id":"1","external_id":"CRM-1","full_name":"${fill('%25\\u0026amp;\\\\', 3.9 * mebi)}"}`),
    ...fine,
  },
  {
    name: '3.9 MiB of digits',
    answer: body(`{"id":"1","external_id":"CRM-1","x":${'1'.repeat(3.9 * mebi)}}`),
    ...fine,
  },
  { name: '3.9 MiB of blanks', answer: body(`{"id":"1","external_id":"CRM-1"${' '.repeat(3.9 * mebi)}}`), ...fine },
  {
    name: '3.9 MiB of quotes that are escaped',
    answer: body(`{"id":"1","external_id":"CRM-1","x":"${fill('\\"', 3.9 * mebi)}"}`),
    ...fine,
  },
  {
    name: 'a page of 3.9 MiB',
    answer: body(`<title>${fill('<a ', 3.9 * mebi)}`, 'content-type: text/html'),
    ...broken,
  },
  { name: 'a code of 3.9 MiB', answer: body(`{"code":"${'x'.repeat(3.9 * mebi)}","msg":"x"}`), read: 13, write: 10 },
];

const texts: readonly Attack[] = [
  {
    name: 'bytes that are no UTF-8',
    answer: body(Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
    ...wrong,
    says: /./,
  },
  { name: 'UTF-16', answer: body(Buffer.from(good, 'utf16le')), ...broken },
  { name: 'zeros', answer: body('\u0000'.repeat(1000)), ...broken },
  { name: 'an empty body', answer: body(''), ...broken },
  { name: 'null', answer: body('null'), ...wrong },
  { name: 'half a JSON', answer: body(good.slice(0, -3)), ...broken },
  { name: 'two JSON', answer: body(good + good), ...broken },
  {
    name: 'a prototype',
    answer: body('{"id":"1","external_id":"CRM-1","__proto__":{"id":"2"},"constructor":{"prototype":{"x":1}}}'),
    ...fine,
  },
  { name: 'the same field twice', answer: body('{"id":"1","external_id":"CRM-1","note":"1","note":"2"}'), ...fine },
  { name: 'an id beyond all numbers', answer: body('{"id":1e400}'), ...wrong },
  {
    name: 'a redirect to elsewhere',
    answer: bytes(head(['location: http://127.0.0.1:1/', 'content-length: 0'], 'HTTP/1.1 307 X')),
    read: 13,
    write: 13,
    says: /redirect/,
  },
];

const slow: readonly Attack[] = [
  { name: 'silence', answer: () => {}, ...late },
  { name: 'headers a byte at a time', answer: drip(whole, 100), ...late },
  {
    name: 'a body a byte at a time',
    answer: (socket) => {
      socket.write(head([json, 'content-length: 1000']));
      drip('x'.repeat(1000), 20)(socket);
    },
    ...late,
  },
  {
    name: 'chunks of one byte, for ever',
    answer: flood(head([json, 'transfer-encoding: chunked']), `1${crlf} ${crlf}`),
    read: 7,
    write: 10,
    says: /larger than|within 2 s/,
  },
];

/** What a hostile service may do, in the order of how it is done. */
export const attacks: readonly Attack[] = [
  ...framing,
  ...bombs.map((attack) => ({ ...attack, isLarge: true as const })),
  ...texts,
  ...slow.map((attack) => ({ ...attack, isLarge: true as const })),
];

/** Pages of a list as large as they may be, each of which costs memory in another way. */
export const largestPages: Readonly<Record<string, (socket: Socket) => void>> = {
  'one text': body(`{"customers":[{"id":"1","external_id":"CRM-1","full_name":"${'ễ'.repeat(2.6 * mebi)}"}]}`),
  'one text of escapes': body(
    `{"customers":[{"id":"1","external_id":"CRM-1","full_name":"${fill('\\u0026amp;%25\\\\', 7.9 * mebi)}"}]}`,
  ),
  'many texts': body(
    `{"customers":[{"id":"1","external_id":"CRM-1","x":[${fill('"ễyyyyyyyyyyyy",', 6.9 * mebi)}""]}]}`,
  ),
  'many records': body(
    `{"customers":[${fill('{"id":"1","external_id":"CRM-1","note":"éxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},', 7.6 * mebi)}{}]}`,
  ),
};
