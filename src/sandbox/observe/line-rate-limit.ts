/**
 * Limits how much a call may print, and how much the script may print outside of calls. Lines over the limit are only counted.
 */
export type LineRateLimit = ReturnType<typeof createLineRateLimit>;

const LINES = 1000;
const CHARACTERS = 256 * 1024;

export function createLineRateLimit({
  refillPerSecond,
  now,
  scale = 1,
}: {
  refillPerSecond: number;
  now(): number;
  /** A factor for the usual limit. */
  scale?: number;
}) {
  let lines = LINES * scale;
  let characters = CHARACTERS * scale;
  let dropped = 0;
  let last = now();

  const refill = (): void => {
    const share = ((now() - last) / 1000) * refillPerSecond;
    if (share < 1) return;
    last = now();
    lines = Math.min(LINES * scale, lines + share);
    characters = Math.min(CHARACTERS * scale, characters + share * (CHARACTERS / LINES));
  };

  return {
    /** Whether a line of this length may be printed. `open` is false while lines cannot be forwarded. */
    take(length: number, open: boolean) {
      if (refillPerSecond > 0) refill();
      if (!open || lines < 1 || characters < 1) {
        dropped += 1;
        return false;
      }
      lines -= 1;
      characters -= length;
      dropped = 0;
      return true;
    },
    /** Number of lines dropped since the last printed line. */
    dropped: () => dropped,
  };
}

export const droppedNotice = (dropped: number): string =>
  `… ${dropped.toLocaleString('en')} ${dropped === 1 ? 'line' : 'lines'} dropped: too much output in a short time`;
