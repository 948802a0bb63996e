const units = ['B', 'KiB', 'MiB', 'GiB'];

export function formatBytes(count: number): string {
  let value = count;
  let unit = 0;
  while (Math.round(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
