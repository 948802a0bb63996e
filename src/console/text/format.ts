export function formatDuration(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms < 1) return '<1 ms';
  const whole = Math.round(ms);
  if (whole < 1000) return `${whole} ms`;
  if (whole < 59_950) return `${(whole / 1000).toFixed(whole < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns a countdown: in seconds for the last ten minutes, and before that in minutes and hours. */
export function formatWait(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns how long ago something happened, in coarse steps, so that the text rarely changes while someone reads it. */
export function formatAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

const two = (value: number): string => String(value).padStart(2, '0');

function formatMinute(time: number): string {
  const date = new Date(time);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const formatTime = (time: number): string =>
  `${formatMinute(time)}:${two(new Date(time).getSeconds())}`;

function formatDay(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns a time, with the date unless it is today. */
export const formatTimeOrDate = (time: number, now: number): string =>
  formatDay(time) === formatDay(now) ? formatTime(time) : `${formatDay(time)} ${formatTime(time)}`;

export const formatTimeExact = (time: number): string =>
  `${formatDay(time)} ${formatTime(time)}.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`;

export const prettyJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? String(value);
