import { endSilent } from '../../base/node/end-command.js';
import { UserError } from '../../base/user-error.js';
import type { Clock } from '../../base/clock.js';
import { localFetch, type LocalRequest } from '../../base/node/local-fetch.js';
import { createCall, readOutput, type Call } from '../../contract/call.js';
import { describeMissing } from '../../protocol/missing-integrations.js';
import type { SessionRecord } from '../../dev/claim-session.js';
import type { Ping } from '../../dev/start-session.js';
import type { CommandContext } from '../context/command.js';
import { hintFor } from './response-hint.js';

export type SessionContext = Pick<CommandContext, 'cwd' | 'io' | 'integration'>;

/** How often to ping the platform. A request can take as long as it likes while the platform responds to pings. */
const PAUSE_MS = 500;
const PING_MS = 2500;

export interface SessionClient {
  consoleOrigin: string;
  /** Returns a link that contains the key. Show it only to the author. */
  consoleLink(view: string): string;
  /** The link to the site, including the site's key. Undefined if the platform's version is too old to have this link. */
  siteLink: string | undefined;
  call: Call;
  /** Resolves when `use` has read the live event stream to the end. */
  follow(signal: AbortSignal, use: (stream: ReadableStream<Uint8Array>) => Promise<void>): Promise<void>;
}

export async function connect(context: SessionContext): Promise<SessionClient> {
  const { findSession } = await import('../../dev/claim-session.js');
  const { cwd, io } = context;
  const session = findSession(cwd, io, io.env.PLATFORM_SESSION || undefined);
  if (!session) throw notRunning('No platform is running in this folder or any of its parent folders.');
  return createClient(chooseIntegration(session, context), io);
}

/**
 * By default, chooses the integration in whose folder the session's file is, or all in the folder above. If one was named, the
 * command runs in its folder, but `PLATFORM_SESSION` may choose another session.
 */
function chooseIntegration(
  session: SessionRecord,
  { integration: named, io }: Pick<SessionContext, 'integration' | 'io'>,
): SessionRecord {
  const { integrations } = session;
  if (named === undefined || (!integrations && !io.env.PLATFORM_SESSION)) return session;
  const chosen = integrations?.find(({ name }) => name === named);
  if (chosen) return { ...session, token: chosen.token };
  throw notRunning(
    integrations
      ? `The session does not run ${named}.`
      : 'The session runs only one integration, so leave out --integration.',
  );
}

/**
 * Connects to this folder's session, never to a parent folder's. Before the key is sent, the platform must prove that it
 * knows the key, because another program may be using the port by now.
 */
export async function connectHere(context: SessionContext): Promise<SessionClient> {
  const { findSession, sessionFileOf } = await import('../../dev/claim-session.js');
  const { cwd, io } = context;
  const found = findSession(cwd, io, sessionFileOf(cwd));
  if (!found) throw notRunning('No platform is running in this folder.');
  const session = chooseIntegration(found, context);
  const { provesStart } = await import('../../dev/start-session.js');
  if (!(await provesStart(session, PING_MS)))
    throw notRunning(`The platform at ${session.origin} is not the one that was started in this folder.`);
  return createClient(session, io);
}

async function createClient(session: SessionRecord, io: CommandContext['io']): Promise<SessionClient> {
  const { consoleLink, siteLink } = await import('../../dev/claim-session.js');
  const { origin, consoleOrigin = origin, siteOrigin, siteKey, token, pid } = session;
  const { ping } = await import('../../dev/start-session.js');
  const watched = { clock: io.clock, ping: () => ping(session, PING_MS), failure: () => silent(origin, pid) };

  /**
   * `use` reads the response while the platform is still being pinged, so a platform that stops halfway through a response
   * is noticed.
   */
  const request = <T>(
    path: string,
    use: (response: Response) => Promise<T>,
    init: LocalRequest = {},
  ): Promise<T> =>
    watchPlatform(watched, async (silence) => {
      const headers = { 'X-Platform-Token': token, 'Content-Type': 'application/json' };
      const signal = init.signal ? AbortSignal.any([init.signal, silence]) : silence;
      try {
        return await use(
          await localFetch(`${consoleOrigin}/console/api${path}`, { ...init, headers, signal }),
        );
      } catch (error) {
        signal.throwIfAborted();
        throw isCutOff(error) ? notRunning(`The platform at ${origin} is not responding.`) : error;
      }
    });

  let noted: string | undefined;
  const readNoted = async (response: Response): Promise<unknown> => {
    const note = describeMissing(response);
    // A command that waits reads a list again and again.
    if (note !== undefined && note !== noted) io.stderr.write(`${note}\n`);
    noted = note;
    return readOutput(await accepted(response));
  };

  return {
    consoleOrigin,
    consoleLink: (view) => consoleLink({ consoleOrigin, token }, view),
    siteLink: siteOrigin && siteKey ? siteLink({ siteOrigin, siteKey }) : undefined,
    call: createCall(({ path, ...init }) => request(path, (response) => readNoted(response), init)),
    async follow(signal, use) {
      const callStream = createCall(({ path }) =>
        request(
          path,
          async (response) => {
            const { body } = await accepted(response);
            if (body) await use(body);
          },
          { signal },
        ),
      );
      await callStream('GET /stream');
    },
  };
}

/** Runs the work. If the platform stops responding to pings, aborts the work with `failure()`. */
async function watchPlatform<T>(
  { clock, ping, failure }: { clock: Clock; ping(): Promise<Ping>; failure(): Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const silence = new AbortController();
  const done = new AbortController();
  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(PAUSE_MS, done.signal);
      if ((await ping()) === 'silent') return silence.abort(failure());
    }
  };
  watch().catch(() => {});
  try {
    return await work(silence.signal);
  } finally {
    done.abort();
  }
}

/** Whether a request failed because the connection could not be opened or was lost. */
const isCutOff = (error: unknown): boolean =>
  error instanceof Error &&
  /^(?:E[A-Z]+|HPE_\w+|ABORT_ERR|ERR_STREAM_PREMATURE_CLOSE)$/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw await refusalOf(response);
}

const silent = (origin: string, pid: number): UserError =>
  new UserError(
    'platform-silent',
    `The platform at ${origin} (process ${pid}) is not responding.`,
    endSilent(pid),
  );

const notRunning = (message: string): UserError =>
  new UserError('no-session', message, 'Start one in another terminal: platform dev');

async function refusalOf(answer: Response): Promise<UserError> {
  const refusal = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  const { error, code } = refusal;
  const message = typeof error === 'string' ? error : `The platform responded with ${answer.status}.`;
  return new UserError(typeof code === 'string' ? code : `http-${answer.status}`, message, hintFor(refusal));
}
