import { isUserError } from '../../../base/user-error.js';
import { passTime } from '../../../contract/call.js';
import type { CommandContext } from '../../context/command.js';
import { localSecond } from '../../session/call-words.js';
import { connect } from '../../session/connect.js';
import { renderInstallations } from '../../session/render-installations.js';

/** Without an emulator, the session has several integrations, and keys that need one of them are missing. */
export interface KeyedSession {
  folder: string;
  emulator?: object;
  rebuild(): Promise<void>;
}

interface Hotkey {
  key: string;
  does: string;
  press(): void | Promise<void>;
  /** Whether the key opens a prompt. While the prompt is open, it receives all keys. */
  asks?: true;
}

/** Handles single key presses until the returned function is called. */
export function followKeys(context: CommandContext, session: KeyedSession, stop: () => void): () => void {
  const { io, print, style } = context;
  const keys = hotkeys(context, session, stop);
  const list = keys.map(({ key, does }) => `  ${style.bold(key)}  ${does}`).join('\n');
  let release = (): void => {};
  let over = false;

  const press = async (pressed: string): Promise<void> => {
    if (pressed === '?') return print(`\n${list}\n`);
    const hotkey = keys.find(({ key }) => key === pressed);
    if (hotkey?.asks) release();
    try {
      await hotkey?.press();
    } catch (error) {
      if (!isUserError(error)) throw error;
      print(`  ${style.red(error.message)}${error.hint ? ` ${error.hint}` : ''}`);
    }
    if (hotkey?.asks && !over) follow();
  };
  const follow = (): void => {
    release = io.stdin.keys((pressed) => void press(pressed));
  };
  follow();
  return () => {
    over = true;
    release();
  };
}

function hotkeys(context: CommandContext, session: KeyedSession, stop: () => void): Hotkey[] {
  const { io, print, style } = context;
  const { folder, rebuild } = session;
  // Each key does the same as the corresponding command in another terminal.
  const client = () => connect({ io, cwd: folder });
  const all: (Hotkey & { one?: true })[] = [
    {
      key: 'b',
      does: 'open the console in the browser',
      press: async () => {
        const { openSession } = await import('../open/open-session.js');
        await openSession({ io, cwd: folder }, { signal: io.takeInterrupts() });
      },
    },
    {
      key: 's',
      does: 'open the site in the browser',
      press: async () => {
        const { openSession } = await import('../open/open-session.js');
        await openSession({ io, cwd: folder }, { view: 'site', signal: io.takeInterrupts() });
      },
    },
    { key: 'r', does: 'rebuild', press: rebuild },
    {
      key: 't',
      does: 'trigger an event',
      asks: true,
      one: true,
      press: async () => {
        const { call } = await client();
        const events = await call('GET /events');
        const choices = events.map(({ type }) => ({ title: type, value: type }));
        const question = { name: 'type', message: 'Which event?', type: 'select', choices } as const;
        const answers = await io.ask([question]);
        if (answers) await call('POST /events', { type: String(answers['type']) });
      },
    },
    {
      key: 'i',
      does: 'list installations',
      one: true,
      press: async () => {
        const { call } = await client();
        const installations = await call('GET /installations');
        print(`\n${renderInstallations(installations, style)}\n`);
      },
    },
    {
      key: 'n',
      does: 'let time pass until something is due',
      press: async () => {
        const { call } = await client();
        const [next] = (await call('GET /clock')).due;
        if (!next) return print('  Nothing is due.');
        const { now } = await passTime(call, next.at);
        print(`  It is ${localSecond(now)}.`);
      },
    },
    { key: 'c', does: 'clear the screen', press: context.clear },
    { key: 'q', does: 'stop', press: stop },
  ];
  return all.filter(({ one }) => !one || session.emulator);
}
