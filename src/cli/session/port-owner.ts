import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Returns the program listening on a local port, such as `node (process 4711)`, if the system reports it. */
export async function findPortOwner(port: number, platform: string): Promise<string | undefined> {
  try {
    return platform === 'linux' ? findInProc(port) : await askLsof(port);
  } catch {
    return undefined;
  }
}

const listening = '0A';

function findInProc(port: number): string | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').slice(1),
  );
  const columns = rows
    .map((row) => row.trim().split(/\s+/))
    .find(([, local, , state]) => local?.endsWith(suffix) && state === listening);
  const inode = columns?.[9];
  if (!inode) return undefined;
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, `socket:[${inode}]`));
  // Reads `exe`, because `comm` contains a thread name, which is `MainThread` in Node 24 and later.
  return pid && describe(basename(readlinkSync(`/proc/${pid}/exe`)), pid);
}

function holds(pid: string, socket: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => targetOf(`/proc/${pid}/fd/${fd}`) === socket);
  } catch {
    // The process belongs to another user or has just ended.
    return false;
  }
}

/**
 * Returns undefined if the file has been closed in the meantime. This is always the case for the handle that listed this
 * process's own files.
 */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

async function askLsof(port: number): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout } = await execa('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
  const [, pid] = /^p(\d+)$/m.exec(stdout) ?? [];
  const [, name] = /^c(.+)$/m.exec(stdout) ?? [];
  return pid && describe(name ?? 'a program', pid);
}

const describe = (name: string, pid: string): string => `${name} (process ${pid})`;
