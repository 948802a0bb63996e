/** What the platform sends about a call before its body. */
export interface CallHead {
  /** The id of the call in the call log. */
  id: string;
  method: string;
  url: string;
  headers: [name: string, value: string][];
}

/** What the script's process sends about a response before its body. */
export interface ResponseHead {
  status: number;
  headers: [name: string, value: string][];
}

/** The id of the call that warms up a process and never reaches the script. */
export const REHEARSAL = 'rehearsal';
