/** What a script printed, formatted as Node would print it. */
export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
  time: number;
}

/** A request that a script made. */
export interface OutboundCall {
  method: string;
  url: string;
  /** 0 where no answer came. */
  status: number;
  error?: string;
  durationMs: number;
  requestBytes: number;
  responseBytes: number;
  time: number;
}
