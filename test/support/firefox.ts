import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Firefox {
  goto(url: string): Promise<void>;
  /** Runs the body of an async function in the page. */
  run<T>(body: string): Promise<T>;
  close(): Promise<void>;
}

const paths = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Starts the system's Firefox with a new profile. Playwright cannot drive it, so this uses Firefox's own protocol, Marionette. */
export async function launchFirefox(): Promise<Firefox> {
  const program = [process.env.FIREFOX, ...paths].find((path) => path && existsSync(path));
  if (!program) throw new Error('This test needs Firefox. Install it with: apt-get install firefox-esr');
  const profile = mkdtempSync(join(tmpdir(), 'platform-firefox-'));
  writeFileSync(join(profile, 'user.js'), 'user_pref("marionette.port", 0);\n');
  const child = spawn(program, ['--headless', '--no-remote', '--marionette', '--profile', profile], {
    stdio: 'ignore',
    env: { ...process.env, HOME: profile },
  });
  const portFile = join(profile, 'MarionetteActivePort');
  while (!existsSync(portFile) || readFileSync(portFile, 'utf8') === '') {
    if (child.exitCode !== null) throw new Error(`Firefox exited with ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const socket = connect(Number(readFileSync(portFile, 'utf8')), '127.0.0.1');
  const waiting = new Map<number, (error: unknown, result: unknown) => void>();
  let received = Buffer.alloc(0);
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    // Each message is its length, a colon, and JSON.
    for (;;) {
      const colon = received.indexOf(':');
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (colon === -1 || received.length < end) return;
      const message = JSON.parse(received.toString('utf8', colon + 1, end)) as [1, number, unknown, unknown];
      received = received.subarray(end);
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3]);
    }
  });
  const send = (command: string, parameters: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = waiting.size + 1;
      waiting.set(id, (error, result) =>
        error ? reject(new Error(`${command}: ${JSON.stringify(error)}`)) : resolve(result),
      );
      const text = JSON.stringify([0, id, command, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  await send('WebDriver:NewSession');
  return {
    async goto(url) {
      await send('WebDriver:Navigate', { url });
    },
    async run<T>(body: string) {
      const script = `const done = arguments[0]; (async () => { ${body} })().then(done, (error) => done(String(error)));`;
      const { value } = (await send('WebDriver:ExecuteAsyncScript', { script, args: [] })) as { value: T };
      return value;
    },
    async close() {
      const exited = once(child, 'exit');
      await send('Marionette:Quit', { flags: ['eForceQuit'] });
      await exited;
      socket.destroy();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
