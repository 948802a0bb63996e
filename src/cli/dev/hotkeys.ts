import type { Session } from '../../dev/index.js';
import type { CommandContext } from '../command.js';
import { openBrowser } from './open-browser.js';

interface Hotkey {
  key: string;
  does: string;
  press(): void | Promise<void>;
}

/** Acts on single keys until the returned function is called. */
export function followKeys(context: CommandContext, session: Session, stop: () => void): () => void {
  const keys = hotkeys(context, session, stop);
  const list = keys.map(({ key, does }) => `  ${context.style.bold(key)}  ${does}`).join('\n');
  return context.io.stdin.keys((pressed) => {
    if (pressed === '?') context.print(`\n${list}\n`);
    else void keys.find(({ key }) => key === pressed)?.press();
  });
}

const clearScreen = '\u001B[2J\u001B[3J\u001B[H';

function hotkeys({ io, print }: CommandContext, { origin, rebuild }: Session, stop: () => void): Hotkey[] {
  return [
    {
      key: 'b',
      does: 'open the console in the browser',
      press: async () => {
        if (!(await openBrowser(`${origin}/`, io.platform)))
          print(`  No browser could be started. Open ${origin}/ yourself.`);
      },
    },
    { key: 'r', does: 'build again', press: rebuild },
    { key: 'c', does: 'clear the screen', press: () => io.stdout.write(clearScreen) },
    { key: 'q', does: 'stop', press: stop },
  ];
}
