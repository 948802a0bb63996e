import { platform } from 'node:os';

/** Returns the command that a person runs to end a process. */
export const endCommand = (pid: number, signal = '', system: string = platform()): string =>
  system === 'win32' ? `taskkill /F /T /PID ${pid}` : `kill ${signal}${pid}`;

/** Returns what to do about a process that does not respond. Windows cannot suspend processes. */
export const endSilent = (pid: number, system: string = platform()): string =>
  `${system === 'win32' ? 'End it' : `If it is suspended, resume it with "kill -CONT ${pid}". Otherwise, end it`} with "${endCommand(pid, '-KILL ', system)}".`;
