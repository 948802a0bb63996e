import { propertyOf, readValue, wrongValue, type Emulator } from '../emulator/index.js';
import type { ConfigurationValues, Environment } from '../protocol/environment.js';
import type { Integration } from '../protocol/integration.js';
import type { LocalWorld } from './local-world.js';
import { readFired } from './test-events.js';
import type { InitialState, TestPlatform } from './test-platform.js';
import type { TestTarget } from './outside/outside-types.js';

type Methods = 'install' | 'uninstall' | 'pause' | 'resume' | 'configure' | 'environment';

export interface Installed extends Pick<TestPlatform, Methods> {
  /** The installation itself, and the installation on the site or in the space. */
  inside(target?: TestTarget): { installation: string; site?: string; space?: string };
  /** The URL of a path at a public endpoint. */
  addressOf(path: string, target?: TestTarget): string;
}

export function createInstalled(
  {
    emulator,
    settled,
    rejections,
    errorOf,
  }: Pick<LocalWorld, 'settled' | 'rejections' | 'errorOf'> & { emulator: Emulator },
  integration: () => TestPlatform['integration'],
): Installed {
  let id: string | undefined;
  const inside: Installed['inside'] = ({ site, space } = {}) => {
    if (id === undefined) throw new Error('Nothing is installed. Call install() first.');
    return { installation: id, ...(site && { site }), ...(space && { space }) };
  };
  const environment = (target?: TestTarget): Environment => {
    const found = emulator.environment(inside(target));
    if (!found) throw new Error(`The integration is not installed in ${target?.site ?? target?.space}.`);
    return found;
  };

  return {
    inside,
    environment,
    addressOf(path, target) {
      const { siteInstallation, spaceInstallation, installation } = environment(target);
      const { urls } = siteInstallation ?? spaceInstallation ?? installation ?? {};
      return URL.canParse(path) ? path : `${urls?.publicEndpoint}/${path.replace(/^\//, '')}`;
    },
    async install({ sites, spaces, ...initial } = {}) {
      const parts = [...(sites ?? []), ...(spaces ?? [])];
      id = await emulator.install({
        ...initial,
        ...(sites && { sites: sites.map(idOf) }),
        ...(spaces && { spaces: spaces.map(idOf) }),
        parts: Object.fromEntries(parts.map((part) => [idOf(part), typeof part === 'string' ? {} : part])),
      });
      await settled();
    },
    async uninstall(target) {
      const { installation, site, space } = inside(target);
      if (site) await emulator.remove(installation, 'site', site);
      else if (space) await emulator.remove(installation, 'space', space);
      else {
        await emulator.uninstall(installation);
        id = undefined;
      }
      await settled();
    },
    async pause() {
      emulator.pause(inside().installation);
      await settled();
    },
    async resume() {
      emulator.resume(inside().installation);
      await settled();
    },
    async configure(values, target) {
      checkEdit(integration(), values, target);
      const fired = await emulator.configure(inside(target), { set: values });
      await settled();
      return readFired(fired, { rejections, errorOf });
    },
  };
}

const idOf = (part: string | ({ id: string } & InitialState)): string =>
  typeof part === 'string' ? part : part.id;

/** Rejects values that a user could not enter in the form. A script's own component may store any values, however. */
function checkEdit(
  { configurations }: Integration,
  values: ConfigurationValues,
  { site, space }: TestTarget = {},
): void {
  const section = configurations[site ? 'site' : space ? 'space' : 'account'];
  for (const [name, value] of Object.entries(values)) {
    const property = propertyOf(section, name);
    if (property?.type === 'button' && section?.componentId === undefined) {
      throw new Error(
        `${name} is a button, so it has no value to enter. Call oauth(), or set it during installation: install({ configuration: { ${name}: … } }).`,
      );
    }
    const wrong = property && value !== undefined && wrongValue(property, readValue(property, value));
    if (wrong) throw new Error(`${JSON.stringify(value)} does not fit the property ${name}. ${wrong}`);
  }
}
