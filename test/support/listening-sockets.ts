import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns the number of TCP sockets on which a process is listening (Linux). */
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
