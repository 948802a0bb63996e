import { readFileSync } from 'node:fs';

/**
 * Returns the peak memory of this process in bytes. On Linux, `maxRSS` also counts the process that started it, up
 * to the moment when this program was loaded.
 */
export function peakMemory(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
