import { defineCommand, fine } from '../../context/command.js';

export const open = defineCommand<{ print?: boolean }>({
  name: 'open',
  summary: 'open the console or the site of the running platform in the browser',
  arguments: [
    {
      syntax: '[view]',
      description:
        'site, overview, configuration, pages, blocks, calls, webhooks, tasks or listing (default: overview)',
    },
  ],
  options: [
    {
      flags: '--print',
      description: 'print the link instead of opening it (it contains a key, so keep it private)',
    },
  ],
  examples: [
    { command: 'platform open', does: 'open the console' },
    { command: 'platform open site', does: 'open the documentation site' },
    { command: 'platform open calls', does: 'open the list of calls' },
    { command: 'platform open --print', does: 'print the link so that you can open it yourself' },
  ],
  async run(context, [view], { print }) {
    const { linkOfSession, openSession } = await import('./open-session.js');
    if (print) {
      const { link } = await linkOfSession(context, view);
      if (context.json) context.emit({ link });
      else context.print(link);
      return fine;
    }
    const { consoleOrigin, siteLink } = await openSession(context, {
      view,
      signal: context.io.takeInterrupts(),
    });
    const isSite = view === 'site' && siteLink !== undefined;
    if (context.json) context.emit({ opened: `${isSite ? new URL(siteLink).origin : consoleOrigin}/` });
    else context.note(`The ${isSite ? 'site' : 'console'} is open in the browser.`);
    return fine;
  },
});
