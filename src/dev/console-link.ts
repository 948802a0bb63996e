import type { SessionRecord } from './claim-session.js';

/** The key is in the fragment, which a browser sends nowhere. The view is a path below `/console/`. */
export const consoleLink = (
  { consoleOrigin, token }: Required<Pick<SessionRecord, 'consoleOrigin' | 'token'>>,
  view = '',
): string => `${consoleOrigin}/${view && `console/${view}`}#key=${token}`;
