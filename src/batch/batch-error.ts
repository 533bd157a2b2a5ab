import type { CellFault } from '../sheets/source-row.ts';

/** Why a batch was refused or stopped. */
export type BatchProblem =
  | 'batch_not_found'
  | 'batch_ambiguous'
  | 'batch_elsewhere'
  | 'batch_open'
  | 'batch_unclear'
  | 'work_unknown'
  | 'cells_wrong'
  | 'options_differ'
  | 'rows_shared'
  | 'records_gone'
  | 'over_max_total'
  | 'no_fitting_offer'
  | 'plan_stale'
  | 'file_differs'
  | 'row_not_unclear'
  | 'not_agreed'
  | 'no_way_back'
  | 'nothing_made'
  | 'resend_unknown';

const kinds: Readonly<Record<BatchProblem, 'usage' | 'policy' | 'missing'>> = {
  batch_not_found: 'missing',
  batch_ambiguous: 'usage',
  batch_elsewhere: 'usage',
  batch_open: 'policy',
  batch_unclear: 'policy',
  work_unknown: 'usage',
  cells_wrong: 'usage',
  options_differ: 'usage',
  rows_shared: 'policy',
  records_gone: 'policy',
  over_max_total: 'policy',
  no_fitting_offer: 'policy',
  plan_stale: 'policy',
  file_differs: 'usage',
  row_not_unclear: 'usage',
  not_agreed: 'policy',
  no_way_back: 'usage',
  nothing_made: 'usage',
  resend_unknown: 'usage',
};

/** Thrown before anything of a batch was sent: what is wrong, with every faulty cell if cells are the reason. */
export class BatchError extends Error {
  readonly kind: 'usage' | 'policy' | 'missing';
  readonly code: BatchProblem;
  readonly outcome = 'not_applied';
  /** Faulty cells, or refused rows. */
  readonly faults: readonly CellFault[];
  /** How many rows the file has that they are in; undefined if that says nothing. */
  readonly rows: number | undefined;
  /** Machine-readable facts. */
  readonly meta: Readonly<Record<string, string>>;
  /** The name that no batch has. */
  readonly missing: string | undefined;

  constructor(
    code: BatchProblem,
    message: string,
    {
      faults = [],
      rows,
      meta = {},
      missing,
    }: {
      faults?: readonly CellFault[];
      rows?: number;
      meta?: Readonly<Record<string, string>>;
      missing?: string;
    } = {},
  ) {
    super(message);
    this.name = 'BatchError';
    this.kind = kinds[code];
    this.code = code;
    this.faults = faults;
    this.rows = rows;
    this.meta = meta;
    this.missing = missing;
  }
}
