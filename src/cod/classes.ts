import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

/** As many characters of JSON are held in memory. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Bytes that are read at a time. */
const PIECE = 64 * 1024;

/**
 * Rows that are written once and read afterwards, as often as needed: the first ones in memory, more in a file without a
 * name, which ends with the process however that ends. Rows are values of JSON.
 */
export class RowStore<Row> {
  #waiting: string[] = [];
  #size = 0;
  #file: FileHandle | undefined;

  /** Adds rows after the others. Throws the error of the file system if the disk is full. */
  async add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      const text = JSON.stringify(row);
      this.#waiting.push(text);
      this.#size += text.length;
    }
    if (this.#file === undefined && this.#size <= MOST_CHARACTERS) return;
    this.#file ??= await fileWithoutName();
    await this.#file.appendFile(`${this.#waiting.join('\n')}\n`);
    this.#waiting = [];
    this.#size = 0;
  }

  /** The rows in their order. */
  async *rows(): AsyncGenerator<Row, void, undefined> {
    if (this.#file !== undefined) for await (const line of linesIn(this.#file)) yield JSON.parse(line);
    for (const text of this.#waiting) yield JSON.parse(text);
  }

  /** Forgets the rows. */
  async close(): Promise<void> {
    this.#waiting = [];
    await this.#file?.close();
    this.#file = undefined;
  }
}

/** The lines of a file, all read into the same bytes: a stream would leave hundreds of megabytes to be collected. */
async function* linesIn(file: FileHandle): AsyncGenerator<string, void, undefined> {
  const bytes = Buffer.allocUnsafe(PIECE);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for (let from = 0; ; ) {
    const { bytesRead } = await file.read(bytes, 0, PIECE, from);
    if (bytesRead === 0) return;
    from += bytesRead;
    const lines = `${rest}${decoder.write(bytes.subarray(0, bytesRead))}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function fileWithoutName(): Promise<FileHandle> {
  // Only this user can read what is in it.
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-'));
  try {
    return await open(join(directory, 'rows'), 'ax+', 0o600);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A class of a parcel in a reconciliation: a condition in SQL on the columns of `parcels`. What it means is in `texts.ts`. */
export interface CodClass {
  readonly name: string;
  /** On the columns `known`, `state`, `due`, `paid`, `difference`, `fee_quoted`, `fee_charged` and others. */
  readonly condition: string;
  /** In Vietnamese, for the dispute sheet. */
  readonly vietnamese: string;
  /** Whether a parcel of it is in order, unless something else is wrong with it. */
  readonly isClean?: true;
  /** Whether it is also told of a parcel that is in an earlier class already. */
  readonly isFault?: true;
  /** Faults that follow from it, and are not told as well. */
  readonly implies?: readonly string[];
}

const cameBack = "state in ('returned', 'returning')";
const notPaid = "state = 'delivered' and due > 0 and paid = 0";

/** The classes in their order: a parcel is in the first one whose condition holds. */
export const codClasses: readonly CodClass[] = [
  {
    name: 'unknown',
    condition: 'known = 0',
    vietnamese: 'Đơn không phải của shop',
    implies: ['over', 'short'],
  },
  {
    name: 'paid_not_delivered',
    condition: `paid <> 0 and state <> 'delivered' and not (${cameBack})`,
    vietnamese: 'Đã trả tiền nhưng chưa giao',
    implies: ['over', 'short'],
  },
  {
    name: 'returned',
    condition: cameBack,
    vietnamese: 'Đơn trả hàng',
    isClean: true,
  },
  {
    name: 'undeliverable',
    condition: "state = 'undeliverable'",
    vietnamese: 'Không giao được',
    isClean: true,
  },
  {
    name: 'provisional_open',
    condition: 'provisional <> 0',
    vietnamese: 'Tạm thu chưa hoàn',
    isFault: true,
  },
  {
    name: 'settled',
    condition: `${notPaid} and settled > 0`,
    vietnamese: 'Nền tảng đã thanh toán',
    isClean: true,
  },
  {
    name: 'awaiting',
    condition: `${notPaid} and overdue = 0`,
    vietnamese: 'Chờ thanh toán',
    isClean: true,
  },
  {
    name: 'unpaid',
    condition: `${notPaid} and settled = 0 and overdue = 1`,
    vietnamese: 'Quá hạn chưa thanh toán',
    isFault: true,
  },
  {
    name: 'short',
    condition: 'paid < due and paid <> 0',
    vietnamese: 'Trả thiếu COD',
    isFault: true,
  },
  {
    name: 'over',
    condition: 'paid > due',
    vietnamese: 'Trả thừa COD',
    isFault: true,
  },
  {
    name: 'fee_differs',
    condition: 'fee_charged is not null and fee_quoted is not null and fee_charged <> fee_quoted',
    vietnamese: 'Phí khác báo giá',
    isFault: true,
  },
  {
    name: 'unexplained',
    condition: 'unexplained <> 0',
    vietnamese: 'Thực nhận không khớp các khoản',
    isFault: true,
  },
  {
    name: 'cod_changed',
    condition: "state = 'delivered' and cod_amount is not null and cod_amount <> due",
    vietnamese: 'COD đã thay đổi',
    isFault: true,
  },
  {
    name: 'paid',
    condition: 'known = 1',
    vietnamese: 'Đã thanh toán đủ',
    isClean: true,
  },
];

/** The names of the classes that are in order. */
const cleanClasses: readonly string[] = codClasses.flatMap(({ name, isClean }) => (isClean === true ? [name] : []));

/** Faults that are only told beside the class of a parcel. */
export const lineFaults: readonly Pick<CodClass, 'name' | 'condition' | 'vietnamese'>[] = [
  {
    name: 'doubled',
    condition: 'doubled > 0',
    vietnamese: 'Dòng bị lặp',
  },
  {
    name: 'uncompensated',
    condition: "state = 'undeliverable' and amount < 0",
    vietnamese: 'Thu phí nhưng chưa bồi thường',
  },
  {
    name: 'after_close',
    condition: 'late > 0',
    vietnamese: 'Phát sinh sau khi chốt phiên',
  },
];

/** What is told in a dispute sheet alone, of a parcel that no session has paid. */
export const leftOutBySession = {
  name: 'left_out',
  vietnamese: 'Bị bỏ sót trong phiên',
};

/** Everything that can be told of a parcel beside its class. */
export const alsoReported = [...codClasses.filter(({ isFault }) => isFault === true), ...lineFaults];

/** The class and the faults of a name. */
export const reportedBy: ReadonlyMap<string, Pick<CodClass, 'name' | 'vietnamese'>> = new Map(
  [...codClasses, ...lineFaults, leftOutBySession].map((one) => [one.name, one]),
);

/** SQL of the name of a parcel's class. */
export const classSql = `case ${codClasses.map(({ name, condition }) => `when ${condition} then '${name}'`).join(' ')} end`;

/** SQL of what else is wrong with a parcel, as bits in the order of `alsoReported`. */
export const alsoSql = alsoReported
  .map(({ name, condition }, bit) => {
    const except = codClasses.filter((one) => one.name === name || one.implies?.includes(name) === true);
    const own = except.map((one) => `'${one.name}'`).join(', ');
    const isElsewhere = own === '' ? '' : ` and class not in (${own})`;
    return `(case when (${condition})${isElsewhere} then ${2 ** bit} else 0 end)`;
  })
  .join(' + ');

const isClean = `class in (${cleanClasses.map((name) => `'${name}'`).join(', ')})`;
const doubledBit = 2 ** alsoReported.findIndex(({ name }) => name === 'doubled');

/** SQL of whether anything differs about a parcel: a line that was repeated counts once, and is told by itself. */
export const differsSql = `not (${isClean}) or also_bits not in (0, ${doubledBit})`;
export const repeatsSql = `${isClean} and also_bits = ${doubledBit}`;

/**
 * SQL of whether a parcel would be claimed of its carrier: anything is told of it, a session has left it out, or nothing has paid it in
 * time; and of whether the platform has settled that: where one session is asked about, what its files say of a parcel counts all the same.
 */
export const claimedSql = `(not (${isClean}) or also_bits <> 0 or left_out is not null or (class = 'settled' and overdue = 1))`;
export const settledSql = (ofAll: boolean) =>
  `(settled > 0 and also_bits = 0 and class in ('settled'${ofAll ? ", 'short'" : ''}))`;

/** The names that the bits of `alsoSql` stand for. */
export const alsoOf = (bits: number): string[] =>
  alsoReported.flatMap(({ name }, bit) => (Math.floor(bits / 2 ** bit) % 2 === 1 ? [name] : []));
