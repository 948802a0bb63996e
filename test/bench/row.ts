export interface Figure {
  value: number;
  unit: 'x' | 'ms' | '%' | '/s' | 'MB' | '';
  detail?: string;
}

/** One table row: the measurement, its target and how to measure it. */
export interface Row {
  what: string;
  reach: { atMost: number } | { atLeast: number };
  measure(): Promise<Figure>;
  /** The reason why it cannot be measured on this machine. */
  skip?: string;
}
