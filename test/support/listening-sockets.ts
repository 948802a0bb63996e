import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** How many TCP sockets of a process wait for connections (Linux). */
export function listeningSockets(pid: number): number {
  const own = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
  const listening = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '0A')
      .map((fields) => fields[9]),
  );
  return own.filter((inode) => listening.includes(inode)).length;
}
