/** Milliseconds per unit, the longest first. */
export const unitMs = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Parses `90s` or `1h30m` into milliseconds. Returns undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,9})(w|d|h|ms|m|s)/g)];
  if (text === '' || parts.map(([part]) => part).join('') !== text) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs], 0);
}
