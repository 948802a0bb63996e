import { useEffect, useState } from 'preact/hooks';
import { createCell, useCell } from './observable-cell.js';

/** How many milliseconds the platform's clock is ahead of the browser's. */
export const clockAhead = createCell(0);

/** The platform's time, which is updated only while the page shows a countdown. */
export function useNow(every: number | undefined): number {
  const ahead = useCell(clockAhead);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (every === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now + ahead;
}
