/** What the platform says of a call before its body. */
export interface CallHead {
  /** The call's name in the traffic log. */
  id: string;
  method: string;
  url: string;
  headers: [name: string, value: string][];
}

/** What the script's process says of an answer before its body. */
export interface AnswerHead {
  status: number;
  headers: [name: string, value: string][];
}

/** The call that warms a process up and never reaches the script. */
export const REHEARSAL = 'rehearsal';
