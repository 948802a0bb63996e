import type { Addresses } from '../../public/addresses.js';
import type { Configure } from '../../state/edit-configuration.js';
import {
  effectiveConfiguration,
  requireInstalled,
  requireInstallation,
  type Installed,
} from '../../state/require-installation.js';
import { statusOf } from '../../state/script-environments.js';
import type { Installations } from '../../state/installations.js';
import type { ReadOptions } from '../../calls/field-options.js';
import type { PlacementKind } from '../../state/installation-records.js';
import type { Registry } from '../../state/registry.js';
import { anything, defineRoute, object, text, texts, type ConsoleRoute } from './console-route.js';
import { given, readObject, readPlace, readText, readTexts } from './request-fields.js';
import { firedView, installationView } from './response-views.js';

export function installationRoutes(deps: {
  registry: Registry;
  addresses: Addresses;
  installations: Installations;
  configure: Configure;
  readOptions: ReadOptions;
}): ConsoleRoute[] {
  const { registry, addresses, installations, configure, readOptions } = deps;
  const view = (id: string) => installationView(registry, addresses, requireInstallation(registry, id));
  const one = '/installations/{installation}';

  const change = (verb: 'pause' | 'resume', summary: string): ConsoleRoute =>
    defineRoute({
      method: 'POST',
      path: `${one}/${verb}`,
      summary,
      answer: 'The installation.',
      run({ part }) {
        installations[verb](part('installation'));
        return view(part('installation'));
      },
    });

  const placement = (kind: PlacementKind): ConsoleRoute[] => [
    defineRoute({
      method: 'POST',
      path: `${one}/${kind}s/{target}`,
      summary: `Install into a ${kind}`,
      answer: 'The installation.',
      async run({ part }) {
        await installations.place(part('installation'), kind, part('target'));
        return view(part('installation'));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${one}/${kind}s/{target}`,
      summary: `Remove from a ${kind}`,
      answer: 'Nothing.',
      run: ({ part }) => installations.remove(part('installation'), kind, part('target')),
    }),
  ];

  return [
    defineRoute({
      method: 'GET',
      path: '/installations',
      summary: 'Where the integration is installed',
      answer: 'A list of installations with their sites and spaces.',
      run: () => registry.installations.all().map((one) => installationView(registry, addresses, one)),
    }),
    defineRoute({
      method: 'POST',
      path: '/installations',
      summary: 'Install it in an organization; the setup events are waited for',
      body: object({ organization: text, sites: texts, spaces: texts, link: text }),
      answer: 'The installation.',
      async run({ body }) {
        const request = await body();
        const id = await installations.install({
          ...given('organization', readText(request, 'organization')),
          ...given('sites', readTexts(request, 'sites')),
          ...given('spaces', readTexts(request, 'spaces')),
          ...given('link', readText(request, 'link')),
        });
        return view(id);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/install-link',
      summary: 'The link that installs an unlisted integration',
      answer: 'The link and its secret.',
      reveals: true,
      run: () => ({
        url: `${addresses.console}/install?link=${registry.record().link}`,
        link: registry.record().link,
      }),
    }),
    defineRoute({
      method: 'GET',
      path: one,
      summary: 'One installation',
      answer: 'The installation.',
      run: ({ part }) => view(part('installation')),
    }),
    defineRoute({
      method: 'DELETE',
      path: one,
      summary: 'Uninstall it',
      answer: 'Nothing.',
      run: ({ part }) => installations.uninstall(part('installation')),
    }),
    change('pause', 'Hold back its events, requests and webhooks'),
    change('resume', 'End the pause'),
    ...placement('site'),
    ...placement('space'),
    defineRoute({
      method: 'GET',
      path: '/configuration',
      summary: 'The configuration of an installation, or of its part in a site or a space',
      parameters: { installation: 'its id; the only one unless told', site: 'a site', space: 'a space' },
      answer: 'The values, the status and the properties that the manifest declares.',
      run({ query }) {
        const installed = requireInstalled(registry, readPlace(queried(query)));
        return { ...configurationView(installed), section: installed.section };
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/configuration',
      summary: 'Edit the configuration; the setup event always fires, and is waited for',
      body: object({ installation: text, site: text, space: text, set: anything, unset: texts }),
      answer: 'The values, the status and the event that fired.',
      async run({ body }) {
        const request = await body();
        const place = readPlace(request);
        const fired = await configure.edit(place, {
          set: readObject(request, 'set') ?? {},
          unset: readTexts(request, 'unset') ?? [],
        });
        return { ...configurationView(requireInstalled(registry, place)), fired: firedView(fired) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/options',
      summary: 'The options of a property with a completion_url, or of a select with an address',
      parameters: {
        property: 'the property',
        url: 'or the address',
        q: 'what was typed',
        installation: 'its id; the only one unless told',
        site: 'a site',
        space: 'a space',
      },
      answer: 'A list of options with id and label.',
      run: ({ query }) =>
        readOptions({
          ...readPlace(queried(query)),
          ...given('property', query('property')),
          ...given('url', query('url')),
          ...given('query', query('q')),
        }),
    }),
  ];
}

const configurationView = (installed: Installed) => ({
  place: installed.place,
  status: statusOf(installed.installation, installed.record),
  configuration: effectiveConfiguration(installed),
});

const queried = (query: (name: string) => string | undefined): Record<string, unknown> => ({
  installation: query('installation'),
  site: query('site'),
  space: query('space'),
});
