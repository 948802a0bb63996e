/** How a call of the script is named in a list: its path below the endpoint that it came to. */
export function callPath(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return (
    pathname.replace(
      /^[/]v1[/]integrations[/][^/]+(?:[/]installations[/][^/]+(?:[/](?:sites|spaces)[/][^/]+)?)?/,
      '',
    ) + search || '/'
  );
}

/** Exactly so wide. Long addresses lose their middle: both ends tell more. */
export function fit(text: string, room: number): string {
  if (text.length <= room) return text.padEnd(room);
  const half = (room - 1) >> 1;
  return `${text.slice(0, room - 1 - half)}…${text.slice(-half)}`;
}

/** `10:15:00`, in the time zone of whoever reads it. */
export const clockTime = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);
