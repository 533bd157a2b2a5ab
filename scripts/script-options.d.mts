/** What came of a run. */
export interface ProofResult {
  readonly run: string;
  readonly first: number;
  readonly many: number;
  readonly counts: Readonly<Record<string, number>>;
}

export function addResult(file: string | undefined, result: ProofResult): void;
