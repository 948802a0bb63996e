import { countOpen } from '../../protocol/delivery-states.js';
import type { Dependent } from '../../contract/routes/installations.js';
import type { Backlog } from '../../webhooks/model/delivery-store.js';
import type { Endpoint } from '../../webhooks/model/endpoint.js';
import type { Tasks } from '../time/scheduled-tasks.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { Blocks } from '../blocks/inserted-blocks.js';
import type { Registry } from '../state/registry.js';
import { requireInstalled } from '../state/require-installation.js';
import type { InstallTarget } from '../state/script-environments.js';

interface Services {
  registry: Registry;
  blocks: Blocks;
  tasks: Tasks;
  webhooks: Webhooks;
}

/** Returns everything that is deleted when an installation is uninstalled or removed from a site or space. */
export async function readDependents(services: Services, wanted: InstallTarget): Promise<Dependent[]> {
  const { registry, blocks, tasks, webhooks } = services;
  const { target, record } = requireInstalled(registry, wanted);
  const isWhole = target.site === undefined && target.space === undefined;
  const isIn = (one: InstallTarget): boolean =>
    one.installation === target.installation &&
    (isWhole || (one.site === target.site && one.space === target.space));
  const placements = isWhole ? registry.placementsOf(target.installation) : [];
  const targets = (kind: 'site' | 'space'): string[] =>
    placements
      .filter((placement) => placement.kind === kind)
      .map(({ target }) => titleOf(registry, kind, target));
  const { endpoints, waiting } = await webhooks.use((dispatcher) =>
    readEndpoints(
      dispatcher.endpoints.list().filter((endpoint) => isIn(targetOf(endpoint))),
      dispatcher.deliveries.backlog,
    ),
  );
  return [
    { what: 'its configuration', names: Object.keys(record.configuration) },
    { what: 'its public endpoint', names: [] },
    ...counted('site', targets('site')),
    ...counted('space', targets('space')),
    ...counted('webhook endpoint', endpoints),
    ...(waiting === 0
      ? []
      : [{ what: plural(waiting, 'pending delivery', 'pending deliveries'), names: [] }]),
    // Blocks in a space are kept until the integration is uninstalled.
    ...(isWhole
      ? counted(
          'block',
          blocks
            .all()
            .filter(({ installation }) => installation === target.installation)
            .map(({ component }) => component),
        )
      : []),
    ...counted(
      'queued task',
      tasks
        .all()
        .filter((queued) => isIn(queued.target))
        .map(({ task }) => task.type),
    ),
  ];
}

async function readEndpoints(
  endpoints: readonly Endpoint[],
  backlogOf: (id: string) => Promise<Backlog>,
): Promise<{ endpoints: string[]; waiting: number }> {
  const backlogs = await Promise.all(endpoints.map(({ id }) => backlogOf(id)));
  const waiting = backlogs.reduce((sum, backlog) => sum + countOpen(backlog), 0);
  return { endpoints: endpoints.map(({ url }) => url), waiting };
}

const targetOf = ({ installationId, target }: Endpoint): InstallTarget => ({
  installation: installationId,
  [target.type]: target.id,
});

const titleOf = ({ workspace }: Registry, kind: 'site' | 'space', id: string): string =>
  (kind === 'site' ? workspace.sites : workspace.spaces).find((one) => one.id === id)?.title ?? id;

const counted = (what: string, names: string[]): Dependent[] =>
  names.length === 0 ? [] : [{ what: plural(names.length, what), names: [...new Set(names)] }];

const plural = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
