export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'calm';

/** Returns the color for an HTTP status. The whole console uses this function. */
export const statusTone = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok');
