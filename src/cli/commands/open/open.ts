import { defineCommand, fine } from '../../context/command.js';

export const open = defineCommand<{ print?: boolean }>({
  name: 'open',
  summary: 'open the console of the running platform in the browser',
  arguments: [
    {
      syntax: '[view]',
      description: 'overview, configuration, blocks, events, webhooks or listing (default: overview)',
    },
  ],
  options: [
    {
      flags: '--print',
      description: 'print the link instead; it contains the console key, so keep it private',
    },
  ],
  examples: [
    { command: 'platform open', does: 'open the console' },
    { command: 'platform open calls', does: 'open the list of calls' },
    { command: 'platform open --print', does: 'print the link, to open it yourself' },
  ],
  async run(context, [view], { print }) {
    const { linkOfSession, openSession } = await import('./open-session.js');
    if (print) {
      const { link } = await linkOfSession(context, view);
      if (context.json) context.emit({ link });
      else context.print(link);
      return fine;
    }
    const { consoleOrigin } = await openSession(context, { view, signal: context.io.takeInterrupts() });
    if (context.json) context.emit({ opened: `${consoleOrigin}/` });
    else context.note('The console is open in the browser.');
    return fine;
  },
});
