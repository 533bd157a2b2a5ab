import type { PlantedParcel } from './cod-world.ts';

// Plain code of its own: nothing here comes from the program.

/** A row as a carrier means it; amounts are as the carrier writes them, fees above zero. */
export interface MeantRow {
  /** The carrier's code; empty where only our id is written. */
  readonly code: string;
  readonly id: string;
  readonly cash: number;
  readonly delivery: number;
  readonly back: number;
  readonly provisional: number;
  readonly given: number;
  /** Whether a cell of it cannot be read. */
  readonly broken: boolean;
}

/** A file as a carrier means it. */
export interface MeantFile {
  readonly layout: 'ghtk' | 'ghn' | 'vtp';
  readonly session: string;
  readonly rows: readonly MeantRow[];
}

/** What a parcel comes to. */
export interface Judged {
  readonly class: string;
  /** What else is wrong with it. */
  readonly also: readonly string[];
  readonly due: number;
  readonly paid: number;
  readonly amount: number;
  /** Whether a session should have paid it, and none did. */
  readonly leftOut: boolean;
}

type Line = readonly [kind: string, amount: number];

function linesOf({ layout }: MeantFile, row: MeantRow): Line[] {
  const fees: Line[] =
    layout === 'ghtk'
      ? [
          ['delivery', -row.delivery],
          ['return', -row.back],
        ]
      : layout === 'vtp'
        ? [['delivery', -(row.delivery + row.back)]]
        : [];
  const all: Line[] = [['cod', row.cash], ...fees, ['provisional', -row.provisional], ['provisional_back', row.given]];
  return all.filter(([, amount]) => amount !== 0);
}

/** The day of each layout's rows. */
const dayOf = { ghtk: '2026-11-05', ghn: '2026-11-25', vtp: '2026-11-05' } as const;

/** What the cells of a row say, except for its number in the file. */
function cellsOf({ layout }: MeantFile, { code, id, cash, delivery, back, provisional, given }: MeantRow): string {
  if (layout === 'ghtk') return [code, id, cash, delivery, back, provisional, given].join('|');
  if (layout === 'ghn') return [code, id, cash, provisional, given].join('|');
  return [code, cash, delivery + back, provisional].join('|');
}

/** Counts working days after a day up to another one. */
function workingDays(from: string, to: string): number {
  let count = 0;
  for (let day = new Date(`${from}T00:00:00Z`); ; ) {
    day = new Date(day.getTime() + 86_400_000);
    if (day.toISOString().slice(0, 10) > to) return count;
    if (day.getUTCDay() !== 0 && day.getUTCDay() !== 6) count += 1;
  }
}

const dayInVietnam = (moment: string) => new Date(Date.parse(moment) + 7 * 3_600_000).toISOString().slice(0, 10);

/** Judges every parcel of a shop by what the files mean; by code, for strangers `?` and their code. */
export function judge(
  parcels: readonly PlantedParcel[],
  files: readonly MeantFile[],
  { today, grace }: { readonly today: string; readonly grace: number },
): { readonly parcels: ReadonlyMap<string, Judged>; readonly lines: number; readonly sum: number } {
  // How often each line counts in the files so far.
  const stored = new Map<string, number>();
  const position = new Map<string, Map<string, number>>();
  const doubled = new Set<string>();
  let lines = 0;
  let sum = 0;
  for (const file of files) {
    const before = new Map(stored);
    const rows = new Set<string>();
    for (const row of file.rows) {
      if (row.broken) continue;
      const isAgain = rows.has(cellsOf(file, row));
      rows.add(cellsOf(file, row));
      const owner = parcels.find(({ code, id }) => (row.code === '' ? id === row.id : code === row.code));
      const byId = owner ?? parcels.find(({ id }) => id === row.id);
      const key = byId === undefined ? `?${row.code || row.id}` : byId.code;
      const sums = position.get(key) ?? new Map<string, number>();
      position.set(key, sums);
      for (const [kind, amount] of linesOf(file, row)) {
        const name = `${file.session}|${row.code || `#${row.id}`}|${kind}|${amount}|${dayOf[file.layout]}`;
        const there = before.get(name) ?? 0;
        if (isAgain || there > 0) {
          doubled.add(key);
          if (!isAgain) before.set(name, there - 1);
          continue;
        }
        stored.set(name, (stored.get(name) ?? 0) + 1);
        lines += 1;
        sum += amount;
        sums.set(kind, (sums.get(kind) ?? 0) + amount);
      }
    }
  }
  const judged = new Map<string, Judged>();
  const lasts = lastDays(parcels, files);
  for (const parcel of parcels) {
    const sums = position.get(parcel.code);
    const ended = ['delivered', 'returned', 'returning', 'undeliverable'].includes(parcel.state);
    if (sums === undefined && !ended) continue;
    const { name, faults, due, paid, amount } = judgeOne(parcel, sums ?? new Map(), today, grace);
    const closed = parcel.closedAt === null ? '' : dayInVietnam(parcel.closedAt);
    const leftOut =
      due > 0 && paid === 0 && lasts.some(([carrier, last]) => carrier === parcel.carrier && closed <= last);
    const reported = also(name, faults, doubled.has(parcel.code));
    judged.set(parcel.code, { class: name, also: reported, due, paid, amount, leftOut });
  }
  for (const [key, sums] of position) {
    if (!key.startsWith('?')) continue;
    const paid = sums.get('cod') ?? 0;
    const faults = held(sums) ? ['provisional_open'] : [];
    judged.set(key, {
      class: 'unknown',
      also: also('unknown', faults, doubled.has(key)),
      due: 0,
      paid,
      amount: total(sums),
      leftOut: false,
    });
  }
  return { parcels: judged, lines, sum };
}

/** The last day on which each session pays cash, for each carrier of one of its parcels. */
function lastDays(parcels: readonly PlantedParcel[], files: readonly MeantFile[]): (readonly [string, string])[] {
  return [...new Set(files.map(({ session }) => session))].flatMap((session) => {
    const rows = files.flatMap((file) =>
      file.session === session ? file.rows.filter(({ broken }) => !broken).map((row) => ({ row, file })) : [],
    );
    const days = rows.filter(({ row }) => row.cash !== 0).map(({ file }) => dayOf[file.layout]);
    const last = days.sort().at(-1);
    if (last === undefined) return [];
    const carriers = rows.flatMap(({ row }) => {
      const own =
        parcels.find(({ code, id }) => (row.code === '' ? id === row.id : code === row.code)) ??
        parcels.find(({ id }) => id === row.id);
      return own === undefined ? [] : [own.carrier];
    });
    return [...new Set(carriers)].map((carrier) => [carrier, last] as const);
  });
}

const total = (sums: ReadonlyMap<string, number>) => [...sums.values()].reduce((sum, amount) => sum + amount, 0);

const held = (sums: ReadonlyMap<string, number>) =>
  (sums.get('provisional') ?? 0) + (sums.get('provisional_back') ?? 0) !== 0;

/** What is told beside a class: cash for a parcel that cannot have any is told once. */
function also(name: string, faults: readonly string[], isDoubled: boolean): string[] {
  const implied = name === 'paid_not_delivered' ? ['over', 'short'] : [];
  const others = faults.filter((fault) => fault !== name && !implied.includes(fault));
  return isDoubled ? [...others, 'doubled'] : others;
}

function judgeOne(parcel: PlantedParcel, sums: ReadonlyMap<string, number>, today: string, grace: number) {
  const of = (kind: string) => sums.get(kind) ?? 0;
  const isDelivered = parcel.state === 'delivered';
  const isBack = parcel.state === 'returned' || parcel.state === 'returning';
  const due = isDelivered ? parcel.actual : 0;
  const paid = of('cod');
  const hasFees = sums.has('delivery') || sums.has('return');
  const fees = -of('delivery') - (isBack ? 0 : of('return'));
  const isLate = parcel.closedAt !== null && workingDays(dayInVietnam(parcel.closedAt), today) > grace;
  const isUnpaid = due > 0 && paid === 0;
  const faults = [
    held(sums) && 'provisional_open',
    isUnpaid && isLate && 'unpaid',
    paid < due && !isUnpaid && 'short',
    paid > due && 'over',
    hasFees && fees !== parcel.quoted && 'fee_differs',
    isDelivered && parcel.cod !== due && 'cod_changed',
    parcel.state === 'undeliverable' && total(sums) < 0 && 'uncompensated',
  ].filter((one) => one !== false);
  const name = (() => {
    if (paid !== 0 && !isDelivered && !isBack) return 'paid_not_delivered';
    if (isBack) return 'returned';
    if (parcel.state === 'undeliverable') return 'undeliverable';
    // What is in the time that the carrier has stands before all but a charge that it keeps.
    if (isUnpaid && !isLate && faults[0] !== 'provisional_open') return 'awaiting';
    return faults[0] ?? 'paid';
  })();
  return { name, faults, due, paid, amount: total(sums) };
}
