import type { Path } from '../../diagnostics/model/rule.js';
import { findEntry } from '../yaml/locate-problem.js';
import { readTree } from '../yaml/read-tree.js';
import { yamlText } from './yaml-literal.js';

/** Replaces a value on a single line. All other bytes stay unchanged. */
export function replaceValue(text: string, path: Path, value: string): string {
  const node = findEntry(readTree(text).root, path)?.node;
  if (node?.kind !== 'scalar') throw new Error(`There is no value at ${path.join('.')} to replace.`);
  const { start, end } = node;
  if (start < end) return text.slice(0, start) + yamlText(value) + text.slice(end);
  // If the value is missing, the new value is inserted after the colon of its key.
  const behind = text.indexOf(':', start) + 1;
  return `${text.slice(0, behind)} ${yamlText(value)}${text.slice(behind)}`;
}
