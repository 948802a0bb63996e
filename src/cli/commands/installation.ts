import { UserError } from '../../base/user-error.js';
import {
  defineCommand,
  fine,
  type CommandContext,
  type CommandSpec,
  type Outcome,
} from '../context/command.js';
import { connect, type SessionClient } from '../session/connect.js';
import { installationOption, targetOptions, type TargetOptions } from '../session/target-options.js';
import type { InstallationResource } from '../../contract/routes/installations.js';
import { renderInstallations } from '../session/render-installations.js';

interface InstallOptions extends TargetOptions {
  organization?: string;
  link?: string | boolean;
}

export const install = defineCommand<InstallOptions>({
  name: 'install',
  summary: 'install the integration on the running platform',
  options: {
    '--organization <id>': 'organization to install the integration in (default: the first one)',
    '--link [link]': 'print the install link of an unlisted integration, or install using one',
    ...targetOptions,
  },
  examples: {
    'platform install': 'install it in the organization and in all its spaces and sites',
    'platform install --space space_local': 'add the installation to another space',
    'platform install --link': 'print the install link',
  },
  async run(context, _, { organization, link, installation, ...target }) {
    const client = await connect(context);
    if (link === true) {
      const found = await client.call('GET /install-link');
      if (context.json) context.emit(found);
      else context.print(found.url);
      return fine;
    }
    const part = partOf(target);
    if (!part) {
      const secret = typeof link === 'string' ? (/[?&]link=([^&]+)/.exec(link)?.[1] ?? link) : undefined;
      const request = { ...(organization && { organization }), ...(secret && { link: secret }) };
      return show(context, [await client.call('POST /installations', request)]);
    }
    const id = installation ?? (await firstInstallation(client));
    const route = `POST /installations/{installation}/${part.kind}/{target}` as const;
    return show(context, [await client.call(route, { installation: id, target: part.target })]);
  },
});

export const uninstall = defineCommand<TargetOptions>({
  name: 'uninstall',
  summary: 'uninstall the integration, or remove it from a site or a space',
  options: targetOptions,
  examples: {
    'platform uninstall': 'uninstall the first installation',
    'platform uninstall --site site_local': 'remove it from one site only',
  },
  async run(context, _, { installation, ...target }) {
    const client = await connect(context);
    const { call } = client;
    const id = installation ?? (await firstInstallation(client));
    const part = partOf(target);
    const { site, space } = target;
    const removed = await call('GET /installations/{installation}/dependents', {
      installation: id,
      site,
      space,
    });
    if (part) {
      const route = `DELETE /installations/{installation}/${part.kind}/{target}` as const;
      await call(route, { installation: id, target: part.target });
    } else await call('DELETE /installations/{installation}', { installation: id });
    const installations = await call('GET /installations');
    if (context.json) {
      context.emit({ installations, removed });
      return fine;
    }
    context.print(
      [
        `Uninstalled ${id}${part ? ` from ${part.target}` : ''}. This also removed:`,
        ...removed.map(({ what, names }) =>
          names.length === 0 ? `  ${what}` : `  ${what}: ${names.join(', ')}`,
        ),
      ].join('\n'),
    );
    return show(context, installations);
  },
});

const change = (verb: 'pause' | 'resume', summary: string): CommandSpec =>
  defineCommand<TargetOptions>({
    name: verb,
    summary,
    options: installationOption,
    examples: {
      [`platform ${verb}`]: `${verb} the first installation`,
      [`platform ${verb} --installation installation_2`]: `${verb} a different installation`,
    },
    async run(context, _, { installation }) {
      const client = await connect(context);
      const id = installation ?? (await firstInstallation(client));
      return show(context, [
        await client.call(`POST /installations/{installation}/${verb}`, { installation: id }),
      ]);
    },
  });

export const pause = change(
  'pause',
  'pause an installation: its events are dropped, and its pending deliveries are held',
);
export const resume = change('resume', 'resume a paused installation');

function partOf({ site, space }: TargetOptions): { kind: 'sites' | 'spaces'; target: string } | undefined {
  if (site !== undefined) return { kind: 'sites', target: site };
  return space === undefined ? undefined : { kind: 'spaces', target: space };
}

async function firstInstallation(client: SessionClient): Promise<string> {
  const [first] = await client.call('GET /installations');
  if (first) return first.id;
  throw new UserError(
    'not-installed',
    'The integration is not installed.',
    'Install it with: platform install',
  );
}

function show(context: CommandContext, installations: InstallationResource[]): Outcome {
  if (context.json) context.emit({ installations });
  else context.print(renderInstallations(installations, context.style));
  return fine;
}
