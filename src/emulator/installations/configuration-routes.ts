import type { Handlers } from '../../contract/console-api.js';
import type { configurationRoutes as contract } from '../../contract/routes/configuration.js';
import type { Failures } from '../calls/call-failure.js';
import type { ReadOptions } from './field-options.js';
import type { Configure } from './edit-configuration.js';
import type { Registry } from '../state/registry.js';
import { effectiveConfiguration, requireInstalled, type Installed } from '../state/require-installation.js';
import { statusOf } from '../state/script-environments.js';
import { firedView } from '../calls/call-views.js';

export function configurationRoutes(deps: {
  registry: Registry;
  configure: Configure;
  readOptions: ReadOptions;
  failures: Failures;
}): Handlers<keyof typeof contract> {
  const { registry, configure, readOptions, failures } = deps;
  return {
    'GET /configuration'(target) {
      const installed = requireInstalled(registry, target);
      const { section } = installed;
      return { ...configurationView(installed), ...(section && { section }) };
    },
    async 'PATCH /configuration'({ set, unset, ...target }) {
      const fired = await configure.edit(target, { set: set ?? {}, unset: unset ?? [] });
      return { ...configurationView(requireInstalled(registry, target)), fired: firedView(fired, failures) };
    },
    'GET /options': (request, { signal }) => readOptions(request, signal),
  };
}

const configurationView = (installed: Installed) => ({
  target: installed.target,
  status: statusOf(installed.installation, installed.record),
  configuration: effectiveConfiguration(installed),
});
