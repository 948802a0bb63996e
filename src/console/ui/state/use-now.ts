import { useEffect, useState } from 'preact/hooks';

/** How many milliseconds the platform's clock is ahead of the browser's. */
let ahead = 0;
export const setAhead = (ms: number): void => void (ahead = ms);
/** The platform's time. */
const platformNow = (): number => Date.now() + ahead;

/** The current time, which is updated only while the page shows a countdown. */
export function useNow(every: number | undefined): number {
  const [now, setNow] = useState(platformNow);
  useEffect(() => {
    if (every === undefined) return undefined;
    setNow(platformNow());
    const timer = setInterval(() => setNow(platformNow()), every);
    return () => clearInterval(timer);
  }, [every, ahead]);
  return now;
}
