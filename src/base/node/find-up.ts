import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest file of that name, from a folder upwards. */
export function findUp(from: string, name: string): string | undefined {
  const file = join(from, name);
  if (existsSync(file)) return file;
  const parent = dirname(from);
  return parent === from ? undefined : findUp(parent, name);
}

/** The paths of that name in a folder and in all above it, whether they exist or not. */
export function filesUp(from: string, name: string): string[] {
  const parent = dirname(from);
  return [join(from, name), ...(parent === from ? [] : filesUp(parent, name))];
}
