export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'calm';
