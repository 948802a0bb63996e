import type { PlatformBase } from '../state/platform-base.js';
import type { CallRecorder } from '../calls/call-recorder.js';
import { CALL_HEADER, callIn } from '../../sandbox/observe/name-call.js';
import { scopeOfRoute } from '../../protocol/scopes.js';
import { reaches } from './management-routes.js';
import { HttpError, notFound } from '../http/http-error.js';
import type { Registry } from '../state/registry.js';
import type { Bearer, Tokens } from '../state/tokens.js';

export function authenticate(tokens: Tokens, request: Request): Bearer {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const bearer = token === undefined ? undefined : tokens.bearer(token);
  if (bearer) return bearer;
  const message = token === undefined ? 'The request has no token.' : 'The token is not valid.';
  throw new HttpError(401, 'unauthorized', message);
}

/** An installation's token gives access only to that installation. */
export function checkInstallation(registry: Registry, bearer: Bearer, installation: string): void {
  if (bearer.kind === 'installation' && bearer.installation !== installation) {
    throw new HttpError(403, 'forbidden', 'This token belongs to another installation.');
  }
  if (!registry.installations.get(installation)) throw notFound(`Unknown installation: ${installation}.`);
}

/** Only installations in the organization can access it. */
export function checkOrganization(registry: Registry, bearer: Bearer, organization: string): void {
  const here = registry.installations.all().filter((one) => one.organization === organization);
  if (!here.some(({ id }) => reaches(bearer, id))) {
    throw notFound(`The integration is not installed in the organization ${organization}.`);
  }
}

/** Only installations in the space or on the site can access it. */
export function checkPlacement(
  registry: Registry,
  bearer: Bearer,
  kind: 'site' | 'space',
  target: string,
): void {
  const known = (kind === 'site' ? registry.workspace.sites : registry.workspace.spaces).some(
    ({ id }) => id === target,
  );
  if (!known) throw notFound(`Unknown ${kind}: ${target}.`);
  const reaches = registry.placements
    .all()
    .some(
      (placement) =>
        placement.kind === kind &&
        placement.target === target &&
        (bearer.kind === 'integration' || placement.installation === bearer.installation),
    );
  if (!reaches) throw new HttpError(403, 'forbidden', `The integration is not installed in this ${kind}.`);
}

/** Returns the id of the script call that sent a request, if known. */
export const callOf = (request: Request): string | undefined =>
  callIn(request.headers.get(CALL_HEADER) ?? undefined);

export function checkScope(
  deps: Pick<PlatformBase, 'registry' | 'feed' | 'scopes'> & { recorder: Pick<CallRecorder, 'noticed'> },
  request: Request,
): void {
  const path = new URL(request.url).pathname.replace(/^[/]api/, '');
  const scope = scopeOfRoute(request.method, path);
  if (!scope || deps.registry.integration().scopes.includes(scope)) return;
  const message = `${request.method} ${path} needs the scope ${scope}, which the manifest does not request.`;
  const call = request.headers.get(CALL_HEADER) ?? undefined;
  const severity = deps.scopes === 'enforce' ? 'error' : 'warning';
  if (call !== undefined) deps.recorder.noticed(call, { code: 'missing-scope', severity, message });
  if (deps.scopes === 'enforce') throw new HttpError(403, 'missing-scope', message);
  deps.feed.emit({ type: 'warning', code: 'missing-scope', message, ...(call !== undefined && { call }) });
}
