/** A project in memory: its files, keyed by path. Paths are relative to the project's folder and use `/`. */
export type ProjectFiles = ReadonlyMap<string, Uint8Array>;

export const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
