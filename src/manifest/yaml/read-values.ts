import { parse } from 'yaml';

/**
 * Reads YAML that need not follow the rules for manifests, and throws an error if it is not valid. The last of several equal
 * keys wins, because comparing each key with every other one would take long.
 */
export const readValues = (text: string): unknown =>
  parse(text, { uniqueKeys: false, logLevel: 'silent' }) as unknown;
