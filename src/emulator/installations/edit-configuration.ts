import type { PlatformBase } from '../state/platform-base.js';
import type { ConfigurationValues } from '../../protocol/environment.js';
import { checkConfiguration, propertyOf, readValue, statusFor } from '../state/check-configuration.js';
import type { InstallTarget } from '../state/script-environments.js';
import type { EmulatorEvent } from '../live/emulator-event.js';
import { setupBy, type EventSender, type Origin } from '../calls/event-sender.js';
import { HttpError, invalid } from '../http/http-error.js';
import {
  requireInstalled,
  saveInstalled,
  setupEvent,
  type Installed,
} from '../state/require-installation.js';

export interface ConfigurationEdit {
  set?: ConfigurationValues;
  unset?: string[];
}

export interface InstallationPatch {
  configuration?: ConfigurationValues;
  externalIds?: string[];
}

export type Configure = ReturnType<typeof createConfigure>;

export function createConfigure(
  deps: Pick<PlatformBase, 'registry' | 'feed' | 'background'> & { events: EventSender },
) {
  const { registry, events, feed, background } = deps;

  const replace = (before: Installed, change: InstallationPatch): Installed => {
    const configuration = change.configuration ?? before.record.configuration;
    saveInstalled(registry, before, { ...change, status: statusFor(before.section, configuration) });
    const { installation, ...part } = before.target;
    feed.emit({ type: 'installation', installation, change: 'configured', ...part });
    return requireInstalled(registry, before.target);
  };

  const patch = (target: InstallTarget, change: InstallationPatch, origin: Origin): void => {
    const before = requireInstalled(registry, target);
    const after = replace(before, change);
    if (after.record.status === before.record.status) return;
    background.run(events.fire(setupEvent(after, before), before.target, origin));
  };

  return {
    /** Applies a user's change. Always sends the setup event, and waits for the script to handle it. */
    edit(target: InstallTarget, { set = {}, unset = [] }: ConfigurationEdit) {
      const before = requireInstalled(registry, target);
      const values = Object.entries(set).map(
        ([name, value]) => [name, readTyped(before, name, value)] as const,
      );
      const configuration = { ...before.record.configuration, ...Object.fromEntries(values) };
      for (const name of unset) {
        if (!Object.hasOwn(configuration, name) && !propertyOf(before.section, name))
          throw unknownProperty(before, name);
        delete configuration[name];
      }
      const after = replace(before, { configuration });
      return events.fire(setupEvent(after, before), before.target, setupBy('configured'));
    },
    /**
     * Applies a change made through the API. `call` is the id of the call that made the change, if known. If the status
     * changes, sends the setup event without waiting for the script to handle it.
     */
    patch: (target: InstallTarget, change: InstallationPatch, call: string | undefined) =>
      patch(target, change, setupBy('configured', call)),
    /** Must be called when the manifest changes, because different properties may now be missing. */
    reconsider() {
      const targets: InstallTarget[] = [
        ...registry.installations.all().map(({ id }) => ({ installation: id })),
        ...registry.placements
          .all()
          .map(({ installation, kind, target }) => ({ installation, [kind]: target })),
      ];
      for (const target of targets) {
        const { record, section } = requireInstalled(registry, target);
        const status = statusFor(section, record.configuration);
        if (status === record.status) continue;
        patch(target, {}, setupBy('manifest'));
        if (status === 'pending') feed.emit(nowPending(target, section, record.configuration));
      }
    },
  };
}

/** Returns the warning that an installation is now pending, which an author may not notice after changing the manifest. */
function nowPending(
  { installation = '', space, site }: InstallTarget,
  section: Installed['section'],
  configuration: ConfigurationValues,
): Extract<EmulatorEvent, { type: 'warning' }> {
  const where = space ?? site;
  const names = checkConfiguration(section, configuration).map(({ property }) => property);
  const options = [space && ` --space ${space}`, site && ` --site ${site}`].filter(Boolean).join('');
  const [first = ''] = names;
  // Setting a button's value would replace the account that the user has connected.
  const next =
    section?.properties[first]?.type === 'button'
      ? 'Connect it in the console: platform open configuration'
      : `Set it with: platform config set ${first}=<value>${options}`;
  return {
    type: 'warning',
    code: 'pending',
    message: `${installation}${where === undefined ? '' : ` in ${where}`} is now pending, because of ${names.join(', ')}. ${next}`,
  };
}

function readTyped(installed: Installed, name: string, value: unknown): unknown {
  const property = propertyOf(installed.section, name);
  if (property) return readValue(property, value);
  // A component can store properties that the manifest does not declare.
  if (installed.section?.componentId === undefined) throw unknownProperty(installed, name);
  return value;
}

function unknownProperty({ section, target }: Installed, name: string): Error {
  const known = Object.keys(section?.properties ?? {});
  const where = target.site ? 'site' : target.space ? 'space' : 'account';
  if (known.length === 0) {
    return new HttpError(
      400,
      'no-properties',
      `The manifest has no properties under configurations.${where}.`,
    );
  }
  return invalid(
    `Unknown property: ${name}. Properties of configurations.${where} in the manifest: ${known.join(', ')}.`,
    { path: name, given: name, known },
  );
}
