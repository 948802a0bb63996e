export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'calm';

/** Returns the color for an HTTP status: one mapping for the whole console. */
export const statusTone = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok');
