import type { PlatformBase } from '../state/platform-base.js';
import type { Input } from '../../contract/console-api.js';
import type { FiredEventResource } from '../../contract/routes/events.js';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import { eventTypes, sampleEvent } from '../../protocol/sample-events.js';
import type { InstallTarget } from '../state/script-environments.js';
import { findEventProblems } from './event-fields.js';
import type { EventSender, FiredEvent } from '../calls/event-sender.js';
import { HttpError, invalid } from '../http/http-error.js';
import { callOfEvent, newId } from '../state/new-id.js';
import { requireInstallation } from '../state/require-installation.js';
import type { Registry } from '../state/registry.js';
import { setPath } from '../../base/set-path.js';
import type { Spaces } from '../spaces/spaces.js';

export type TriggerRequest = Input<'POST /events'>;

export type Triggered = Omit<FiredEventResource, 'fired'> & { fired: FiredEvent };

export type Trigger = ReturnType<typeof createTrigger>;

/** Sends an event of any type. Missing fields are filled in from a sample. */
export function createTrigger(
  deps: Pick<PlatformBase, 'addresses' | 'registry'> & { events: EventSender; spaces: Spaces },
) {
  const { registry, addresses, events, spaces } = deps;

  const compose = ({ type, event = {}, set = {}, ...target }: TriggerRequest): PlatformEvent => {
    if (!isEventType(type)) {
      throw invalid(`Unknown event: ${type}.`, { path: 'type', given: type, known: [...eventTypes] });
    }
    const installation = requireInstallation(registry, target.installation).id;
    const first = (kind: 'site' | 'space'): string | undefined =>
      registry.placementsOf(installation).find((placement) => placement.kind === kind)?.target;
    const { name, blocks, contentSources } = registry.integration();
    const [[block], [source]] = [blocks, contentSources];
    const sample = sampleEvent(type, {
      ...(type === 'fetch' && { url: `${addresses.target(name, { ...target, installation })}/` }),
      installationId: installation,
      spaceId: target.space ?? first('space') ?? registry.workspace.spaces[0]?.id ?? 'space_local',
      siteId: target.site ?? first('site') ?? registry.workspace.sites[0]?.id ?? 'site_local',
      ...(block && { componentId: block.id }),
      ...(source && { sourceId: source.id }),
      newId,
    });
    const revised = {
      ...ofSpace(sample, target),
      // Uses the id of a revision that exists, because the script will request this revision next.
      ...(sample.type === 'space_content_updated' && {
        revisionId: spaces.nextRevision(sample.spaceId) ?? sample.revisionId,
      }),
    };
    const composed = { ...revised, ...event, type, installationId: installation };
    for (const [path, value] of Object.entries(set)) {
      const problem = setPath(composed, path, value);
      if (problem) throw invalid(`${problem.message} ${problem.help}`, { path });
    }
    check(composed);
    return composed as PlatformEvent;
  };

  return {
    /** Returns the event without sending it. */
    compose,
    async fire(request: TriggerRequest): Promise<Triggered> {
      const event = compose(request);
      const { paused } = requireInstallation(registry, event.installationId);
      if (paused) return { event, fired: { outcome: 'withheld', reason: 'paused', event }, deliveries: [] };
      const target = targetOf(registry, event, request);
      if (event.type === 'space_content_updated') spaces.revise(event.spaceId, event.revisionId);
      if (event.type === 'space_visibility_updated') spaces.setVisibility(event.spaceId, event.visibility);
      const isOwn = request.event?.['eventId'] === undefined && request.set?.['eventId'] === undefined;
      const origin = isOwn ? { id: callOfEvent(event.eventId) } : {};
      return { event, ...(await events.fireAndForward(event, target, origin)) };
    },
  };
}

/** Adapts a sample event that can occur either on a site or in a space. The samples are for sites. */
function ofSpace(sample: PlatformEvent, { site, space }: InstallTarget): object {
  const isOfEither =
    sample.type === 'fetch_published_script' || sample.type === 'fetch_visitor_authentication';
  if (!isOfEither || site !== undefined || space === undefined) return sample;
  const { siteId: _, ...rest } = sample;
  return { ...rest, spaceId: space };
}

const isEventType = (type: string): type is EventType => (eventTypes as string[]).includes(type);

/** Returns the target of an event. The integration must be installed in the event's site or space. */
function targetOf(registry: Registry, event: PlatformEvent, requested: InstallTarget): InstallTarget {
  const { site, space } = partsOf(event);
  const installation = event.installationId;
  const targets = (kind: 'site' | 'space'): string[] =>
    registry.placementsOf(installation).flatMap((one) => (one.kind === kind ? [one.target] : []));
  const [sites, spaces] = [targets('site'), targets('space')];
  const inSpace = (target: string | undefined): InstallTarget => ({
    installation,
    ...(target !== undefined && spaces.includes(target) && { space: target }),
  });
  const refuse = (kind: 'site' | 'space', given: string | undefined, known: string[]): HttpError =>
    new HttpError(409, 'not-installed', `The integration is not installed in the ${kind} ${given}.`, {
      given,
      known,
    });

  // Without this check, an event that does not contain the requested target's id could silently be sent to a different
  // target.
  if (requested.space !== undefined && !spaces.includes(requested.space))
    throw refuse('space', requested.space, spaces);
  if (requested.site !== undefined && site === undefined && !sites.includes(requested.site))
    throw refuse('site', requested.site, sites);

  // An event without a target of its own, such as a task, is sent to the target that was requested.
  if (site === undefined && space === undefined && !event.type.startsWith('installation_'))
    return {
      installation,
      ...(requested.site !== undefined && { site: requested.site }),
      ...(requested.space !== undefined && { space: requested.space }),
    };
  const target = inSpace(space);
  if (event.type.startsWith('space_') && !target.space) throw refuse('space', space, spaces);
  if (event.type.startsWith('space_') || site === undefined) return target;
  if (sites.includes(site)) return { ...target, site };
  // Installations in the site's space also receive the site's events.
  const [only] = requested.site === undefined && sites.length === 0 ? spaces : [];
  const below = inSpace(space ?? requested.space ?? only);
  if (!below.space) throw refuse('site', site, sites);
  return below;
}

const partsOf = (event: PlatformEvent): { site?: string | undefined; space?: string | undefined } => ({
  ...('siteId' in event && { site: event.siteId }),
  ...('spaceId' in event && { space: event.spaceId }),
});

function check(event: { type: string }): void {
  const problems = findEventProblems(event);
  const [first] = problems;
  if (!first) return;
  const { path, message, known, meant } = first;
  const hint =
    meant === undefined
      ? 'List the fields and their values with: platform schema events'
      : `Did you mean ${meant}?`;
  throw invalid(message, { path, problems, hint, ...(known && { known }) });
}
