import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}

/**
 * Returns a loopback port on which nothing is listening. Systems never assign one of these ports to an outgoing connection
 * or to a server that listens on port 0, so it stays free until the test uses it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(12_000, 32_000);
  return (await isFree(port)) ? port : freePort();
}

/** Waits until a killed process's port is free. A child that it was just starting can still hold it. */
export async function portReleased(port: number): Promise<void> {
  while (!(await isFree(port))) await wait(10);
}
