import { consoleViews } from '../../../protocol/console-views.js';
import { defineCommand, fine } from '../../context/command.js';

export const open = defineCommand<{ print?: boolean }>({
  name: 'open',
  summary: 'open the console or the site of the running platform in the browser',
  arguments: {
    '[view]': `site, ${consoleViews.join(', ').replace(/, (?=\w+$)/, ' or ')} (default: overview)`,
  },
  options: { '--print': 'print the link instead of opening it (it contains a key, so keep it private)' },
  examples: {
    'platform open': 'open the console',
    'platform open site': 'open the documentation site',
    'platform open calls': 'open the list of calls',
    'platform open --print': 'print the link so that you can open it yourself',
  },
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
