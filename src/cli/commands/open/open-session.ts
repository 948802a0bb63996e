import { consoleViews } from '../../../protocol/console-views.js';
import { connect, type SessionClient, type SessionContext } from '../../session/connect.js';
import { openConsole } from './open-console.js';
import { noBrowser, startBrowser, whyNoBrowser } from './start-browser.js';
import { UserError } from '../../../base/user-error.js';
import { nearest } from '../../../base/did-you-mean.js';

/** Finds this folder's session and the link to a view in its console. */
export async function linkOfSession(
  context: SessionContext,
  view = 'overview',
): Promise<{ client: SessionClient; link: string }> {
  if (view === 'site') {
    const client = await connect(context);
    if (client.siteLink === undefined) throw noSite();
    // Fails if the platform no longer responds.
    await siteReaders(client);
    return { client, link: client.siteLink };
  }
  const path = viewPath(view);
  const client = await connect(context);
  await connectedPages(client);
  return { client, link: client.consoleLink(path) };
}

export async function openSession(
  context: SessionContext,
  { view, signal }: { view?: string | undefined; signal: AbortSignal },
): Promise<SessionClient> {
  const { io } = context;
  const { client, link } = await linkOfSession(context, view);
  const reason = whyNoBrowser(io.env, io.platform);
  if (reason) throw noBrowser(reason, view);
  await openConsole({
    link,
    view,
    clock: io.clock,
    signal,
    start: (file) => startBrowser(file, io.platform),
    connected: () => (view === 'site' ? siteReaders(client) : connectedPages(client)),
  });
  return client;
}

const siteReaders = async (client: SessionClient): Promise<number> => (await client.call('GET /pages')).site;

const noSite = (): UserError =>
  new UserError(
    'no-site',
    'The running platform is an older version that does not support sites.',
    'Stop it and start it again: platform dev',
  );

const connectedPages = async (client: SessionClient): Promise<number> =>
  (await client.call('GET /pages')).connected;

/** Returns the console path of a view, such as `calls`, or of an item in a view, such as `calls/call_1`. */
export function viewPath(view: string): string {
  const parts = view.split('/').filter(Boolean);
  const known: readonly string[] = [...consoleViews, 'installations'];
  const [first = ''] = parts;
  if (!known.includes(first)) {
    const close = nearest(first, [...consoleViews]);
    throw new UserError(
      'unknown-view',
      `Unknown console view: "${first}".`,
      close ? `Did you mean ${close}?` : `Available views: ${consoleViews.join(', ')}.`,
    );
  }
  return first === 'overview' ? '' : parts.map(encodeURIComponent).join('/');
}
