export interface Figure {
  value: number;
  unit: 'x' | 'ms' | '%' | '/s' | 'MB' | '';
  detail?: string;
}

/** One line of the table: what is measured, the figure to reach, and how to measure it. */
export interface Row {
  what: string;
  reach: { atMost: number } | { atLeast: number };
  measure(): Promise<Figure>;
  /** Why it cannot be measured here. */
  skip?: string;
}
