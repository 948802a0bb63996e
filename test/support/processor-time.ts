/** How many milliseconds of processor time this takes at best, however busy the machine is. */
export function processorMs(work: () => unknown, tries = 1): number {
  const samples = Array.from({ length: tries }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...samples);
}
