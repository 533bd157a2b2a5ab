// The yardsticks for the sandbox: a bare server of node:http, and one with SQLite.
//
//   POST /echo     parses the body and sends it back
//   POST /insert   inserts it into a table of a file, journal_mode=WAL, synchronous=FULL, and sends it back
//   PUT  /answers  stores an answer by its id
//   POST /read     sends the answer of the id in the body, serialized for each response
//   POST /page     sends the JSON that was stored, serialized for each response
//   PUT  /page     stores that JSON
//
//   node bench/bare-server.mjs FILE
import { createServer } from 'node:http';
import BetterSqlite from 'better-sqlite3';

const database = new BetterSqlite(process.argv[2] ?? ':memory:');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, body TEXT)');
const insert = database.prepare('INSERT INTO orders (body) VALUES (?)');

let page = {};
const answers = new Map();
const routes = {
  'POST /echo': (body) => body,
  'POST /insert'(body) {
    insert.run(JSON.stringify(body));
    return body;
  },
  'PUT /answers'([id, answer]) {
    answers.set(id, answer);
    return {};
  },
  'POST /read': ({ id }) => answers.get(id),
  'PUT /page'(body) {
    page = body;
    return {};
  },
  'POST /page': () => page,
};

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const answer = JSON.stringify(
      routes[`${request.method} ${request.url}`](text === '' ? undefined : JSON.parse(text)),
    );
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
