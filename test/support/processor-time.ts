/** How long `countUp` took on the machine where the limits were set. */
const usualMs = 4;

function countUp(): number {
  let sum = 0;
  for (let at = 0; at < 2_500_000; at += 1) sum = (sum * 31 + at) | 0;
  return sum;
}

countUp();

function measure(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many milliseconds of processor time this takes at best, however busy or slow the machine is. */
export function processorMs(work: () => unknown, tries = 1): number {
  const samples = Array.from({ length: tries }, () => {
    const slowness = measure(countUp) / usualMs;
    return measure(work) / Math.max(1, slowness);
  });
  return Math.min(...samples);
}
