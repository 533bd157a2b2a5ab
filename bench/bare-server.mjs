// The yardsticks for the sandbox: a bare Fastify, and a bare Fastify with SQLite.
//
//   POST /echo     parses the body and sends it back
//   POST /insert   inserts it into a table of a file, journal_mode=WAL, synchronous=FULL, and sends it back
//   POST /page     sends the JSON that was stored, serialized for each response
//   PUT  /page     stores that JSON
//
//   node bench/bare-server.mjs FILE
import BetterSqlite from 'better-sqlite3';
import fastify from 'fastify';

const database = new BetterSqlite(process.argv[2] ?? ':memory:');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, body TEXT)');
const insert = database.prepare('INSERT INTO orders (body) VALUES (?)');

let page = {};
const app = fastify({ bodyLimit: 16 * 1024 * 1024 });
app.post('/echo', async ({ body }) => body);
app.post('/insert', async ({ body }) => {
  insert.run(JSON.stringify(body));
  return body;
});
app.put('/page', async ({ body }) => {
  page = body;
  return {};
});
app.post('/page', async () => page);
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
