export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'calm';

/** The color of an HTTP status, the same everywhere. */
export const statusTone = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok');
