// Cash on delivery in bulk: payment files imported by one command, and every parcel reconciled.
//
//   node bench/cod.mjs [--files 200] [--lines 5000] [--parcels 100000] [--runs 3] [--data DIR] [--prepare]
//
// The files are GHTK's, of the parcels of a mirror (see large-mirror.mjs), which is made once in --data DIR. Seconds are
// from the first line of the program to its end, memory is the peak of its process.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { largeMirror, median, withPeak } from './large-mirror.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '200' },
    lines: { type: 'string', default: '5000' },
    parcels: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    data: { type: 'string' },
    prepare: { type: 'boolean', default: false },
  },
});
const [files, lines, parcels, runs] = ['files', 'lines', 'parcels', 'runs'].map((name) => Number(values[name]));

const HEADER =
  'STT,Mã đơn hàng,Mã đơn hàng shop,Thông tin khách hàng,Tổng tiền thu hộ,Shop trả trước,Phí bảo hiểm,Phí dịch vụ,Phí đồng kiểm,Phí chuyển hoàn,Khuyến mãi,Phí thay đổi địa chỉ giao,Thanh toán,Ngày tạo,Ngày hoàn thành';

/** One file after the other has the next parcels; once all are paid, later sessions have their fees alone. */
function writeFiles(directory, path) {
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length === files) return;
  const database = new Database(path, { readonly: true });
  const all = database
    .prepare(
      'select shipping_code as code, coalesce(actual_cod_amount, 0) as cash, coalesce(shipping_service_fee, 0) as fee, shipping_state as state from fulfillments where shipping_code is not null order by id limit ?',
    )
    .all(parcels);
  for (let file = 0; file < files; file += 1) {
    const rows = [HEADER];
    for (let line = 0; line < lines; line += 1) {
      const place = file * lines + line;
      const { code, cash, fee, state } = all[place % all.length];
      const isFirst = place < all.length;
      const paid = isFirst && state === 'delivered' ? cash : 0;
      const charged = isFirst ? fee : 1_000;
      rows.push(
        `${line + 1},S1.A1.${code},,Lan,${paid},0,0,${charged},0,0,0,0,${paid - charged},"08:30, 02-11-2026","10:00, 25-11-2026"`,
      );
    }
    writeFileSync(join(directory, `ghtk-${String(file).padStart(3, '0')}.csv`), `${rows.join('\n')}\n`);
  }
  database.close();
}

const directory = values.data ?? mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
try {
  const { env, path } = await largeMirror(directory, { orders: parcels, base: 50_000 });
  const paid = join(directory, 'paid');
  writeFiles(paid, path);
  if (!values.prepare) {
    const { measure } = withPeak(directory);
    const names = readdirSync(paid).sort();
    const all = names.map((name) => join(paid, name));
    const workspace = (name) => {
      const state = join(directory, name);
      rmSync(state, { recursive: true, force: true });
      mkdirSync(state, { mode: 0o700 });
      return { ...env, SHOPCTL_WORKSPACE: join(state, 'workspace.db') };
    };
    const reconciled = (own, words) => {
      const took = Array.from({ length: runs }, () => measure(['cod', 'reconcile', ...words], own, [0, 11], 'ignore'));
      const { seconds, megabytes } = {
        seconds: median(took.map((one) => one.seconds)),
        megabytes: Math.max(...took.map((one) => one.megabytes)),
      };
      return `${seconds.toFixed(2)} s (< 1), peak ${megabytes.toFixed(0)} MiB`;
    };
    // As many files as name each parcel once, then all.
    for (const count of new Set([Math.min(files, Math.ceil(parcels / lines)), files])) {
      const own = workspace(`of-${count}`);
      const imported = measure(['cod', 'import', ...all.slice(0, count), '-q', '-o', 'json'], own, [0, 9]);
      const sum = JSON.parse(imported.stdout);
      const added = sum.reduce((total, one) => total + one.lines, 0);
      console.log(
        `${count} files of ${lines} rows, ${added} payment lines: imported in ${imported.seconds.toFixed(1)} s (< 60 for 200), peak ${imported.megabytes.toFixed(0)} MiB (<= 200)`,
      );
      console.log(`  reconcile of ${parcels} parcels, what differs: ${reconciled(own, ['--differing', '-o', 'json'])}`);
      console.log(`  the same, every parcel printed: ${reconciled(own, ['-o', 'json'])}`);
    }
  }
} finally {
  if (values.data === undefined) rmSync(directory, { recursive: true, force: true });
}
