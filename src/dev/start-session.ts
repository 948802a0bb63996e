import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { localFetch } from '../base/node/local-fetch.js';
import { startProof } from '../base/node/start-proof.js';
import type { Builder } from './reload/builder.js';
import { createClosing } from './closing.js';
import type { SessionEvent } from './events/session-event.js';
import { isNodeCertain, startNode } from './settings/choose-runtime.js';
import { claimSession, type SessionRecord } from './claim-session.js';
import type { Session } from './session.js';
import type { SessionOptions } from './session-options.js';

/**
 * Starts the slowest parts first, so that the script's process and the build start while other modules are loading.
 * Resolves to undefined if the project is broken and the session may not wait.
 */
export async function startSession(
  options: SessionOptions,
  tell: (event: SessionEvent) => void,
): Promise<Session | undefined> {
  const closing = createClosing();
  const began = options.clock.now();
  try {
    const claim = options.unlisted
      ? { file: '', first: undefined, lastPort: undefined, last: undefined, announce() {}, release() {} }
      : await claimSession(dirname(options.manifestFile), {
          ...options.process,
          isAnswering: isSessionRunning,
          mayBeSecond: options.state === 'memory',
          platformVersion: options.package.version,
          token: options.token,
        });
    closing.add(claim.release);
    const processes = isNodeCertain(options) ? await startNode(options) : undefined;
    closing.add(async () => processes?.close());
    const builder = await startBuild(options);
    closing.add(builder.close);
    const { openSession } = await import('./session.js');
    const session = await openSession(options, { claim, processes, builder, closing, began }, tell);
    if (!session) await closing.close();
    return session;
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function startBuild(options: SessionOptions): Promise<Builder> {
  const { startBundler } = await import('../bundle/index.js');
  startBundler();
  const { createBuilder } = await import('./reload/builder.js');
  const { loadProject } = await import('./reload/load-project.js');
  const builder = createBuilder(options.manifestFile, options.package.folder);
  const entry = loadProject(options).project?.entry;
  if (entry !== undefined && isNodeCertain(options)) builder.begin(entry);
  return builder;
}

const PATIENCE_MS = 1000;

export type Ping = 'responds' | 'silent' | 'gone';

/** Requests a URL that requires the token, because another program may be using the port by now. */
export async function ping(
  { origin, consoleOrigin = origin, token }: SessionRecord,
  patienceMs: number,
): Promise<Ping> {
  try {
    const { ok } = await localFetch(`${consoleOrigin}/console/api/openapi.json`, {
      method: 'HEAD',
      headers: { 'X-Platform-Token': token },
      signal: AbortSignal.timeout(patienceMs),
    });
    return ok ? 'responds' : 'gone';
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'gone';
  }
}

/** Whether the platform at this address knows the key in the record. The key itself is not sent. */
export async function provesStart(
  { origin, consoleOrigin = origin, token }: SessionRecord,
  patienceMs: number,
): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex');
  try {
    const response = await localFetch(`${consoleOrigin}/console/api/start?nonce=${nonce}`, {
      signal: AbortSignal.timeout(patienceMs),
    });
    return response.ok && (await response.text()).split('\n').includes(startProof(token, nonce));
  } catch {
    return false;
  }
}

/** A suspended platform does not respond but still owns its session. */
export const isSessionRunning = async (session: SessionRecord, patienceMs = PATIENCE_MS): Promise<boolean> =>
  (await ping(session, patienceMs)) !== 'gone';
