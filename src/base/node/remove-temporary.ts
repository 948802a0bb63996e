import { rmSync } from 'node:fs';

/** On Windows, a file that is still open keeps its folder. */
const openCodes = ['EBUSY', 'ENOTEMPTY', 'EPERM'];

/** Removes a temporary folder. If its files stay open, leaves the rest to the system. */
export function removeTemporary(folder: string, remove: typeof rmSync = rmSync): void {
  try {
    remove(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    if (!openCodes.includes(String((error as { code?: unknown }).code))) throw error;
  }
}
