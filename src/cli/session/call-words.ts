/** Shortens text to a width. Long URLs are shortened in the middle, because the beginning and end matter more. */
export function fit(text: string, room: number): string {
  if (text.length <= room) return text.padEnd(room);
  const half = (room - 1) >> 1;
  return `${text.slice(0, room - 1 - half)}…${text.slice(-half)}`;
}

/** Formats a time as `10:15:00`, in the local time zone. */
export const clockTime = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

/** Formats a time such as `2026-11-23 18:04:09`, in the local time zone. */
export function localSecond(time: number): string {
  const date = new Date(time);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${clockTime(time)}`;
}

/** Formats a time as `10:15:00` if it is today, else as `Nov 23 10:15`, which leaves room for the call. */
export function timeOrDate(time: number, now: number): string {
  const [day, today] = [time, now].map((ms) => new Date(ms).toDateString());
  return day === today ? clockTime(time) : `${day?.slice(4, 10)} ${clockTime(time).slice(0, 5)}`;
}

/** Formats a time such as `2026-11-23 18:04`, in the local time zone. */
export const localMinute = (time: number): string => localSecond(time).slice(0, -3);

export const nameOfRender = ({
  component,
  action,
}: {
  component?: string | undefined;
  action?: string | undefined;
}): string => [component, action].filter((part) => part !== undefined).join(' ');
