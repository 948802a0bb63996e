/** SIGHUP means that the terminal was closed. SIGPIPE means that standard output was closed. */
export type Interruption = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGPIPE';

/** A closed standard output is not an error. It happens in `platform rules | head`, for example. */
const codes: Readonly<Record<Interruption, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 0 };

export const interruptionCode = (by: Interruption): number => codes[by];
