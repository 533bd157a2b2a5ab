/** How a chart is drawn with characters. */
export interface ChartManner {
  /** Columns that a line may take. */
  readonly width: number;
  readonly colour: boolean;
  /** Whether only characters of ASCII are used. */
  readonly ascii: boolean;
}
