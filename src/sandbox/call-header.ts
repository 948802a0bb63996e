/** Says which call a request belongs to. It is taken off before the script sees the request. */
export const CALL_HEADER = 'x-platform-call-id';

/** The call that warms a process up and never reaches the script. */
export const REHEARSAL = 'rehearsal';
