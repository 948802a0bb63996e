import { defineCommand, fine } from '../../command.js';

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
      description: 'print the link instead; it contains the key of the console, so keep it to yourself',
    },
  ],
  examples: [
    { command: 'platform open', does: 'the console, in the browser' },
    { command: 'platform open events', does: 'its list of requests and events' },
    { command: 'platform open --print', does: 'the link, where no browser can be started from here' },
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
