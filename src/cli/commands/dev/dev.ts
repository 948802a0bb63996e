import { resolve } from 'node:path';
import { UserError } from '../../../base/user-error.js';
import { consentModes } from '../../../protocol/oauth/oauth-outcomes.js';
import { environmentOptions } from '../../session/environment-options.js';
import type { DevOptions } from './session-options.js';
import { defineCommand, InvalidValue, parseCount, parsePort } from '../../command.js';

export const dev = defineCommand<DevOptions>({
  name: 'dev',
  summary: 'run the integration and the whole platform around it on this machine',
  description:
    'Runs the integration and the whole platform around it on this machine: installations, events, public endpoints, OAuth, webhooks and a console in the browser. Reloads when a file is saved.',
  arguments: [
    { syntax: '[folder]', description: 'where the manifest is (default: here, or the nearest folder above)' },
  ],
  options: [
    {
      flags: '-p, --port <port>',
      description: 'the port of the public endpoints and the API (default: 4100, or the next free one)',
      parse: parsePort,
    },
    {
      flags: '--console-port <port>',
      description: 'the port of the console, if it has to be forwarded (default: a new one at each start)',
      parse: parsePort,
    },
    { flags: '--open', description: 'open the console in the browser' },
    { flags: '--fresh', description: 'forget installations, traffic and deliveries of earlier runs' },
    {
      flags: '--state <where>',
      description: 'where to keep the state',
      choices: ['disk', 'memory'],
      default: 'disk',
    },
    { flags: '--no-install', description: 'leave the first installation to you' },
    ...environmentOptions,
    {
      flags: '--timeout <seconds>',
      description: 'how long the script may take to answer (default: 30)',
      parse: parseCount,
    },
    {
      flags: '--runtime <name>',
      description: 'what runs the script (default: node)',
      choices: ['node', 'workerd'],
    },
    {
      flags: '--inspect [port]',
      description: 'let a debugger attach to the script (default port: 9229)',
      parse: parsePort,
    },
    {
      flags: '--scopes <mode>',
      description: 'what to do when a scope is missing',
      choices: ['warn', 'enforce'],
      default: 'warn',
    },
    {
      flags: '--oauth <outcome>',
      description: 'how the built-in OAuth provider responds',
      choices: [...consentModes],
      default: 'ask',
    },
    {
      flags: '--oauth-provider <which>',
      description: 'reroute the OAuth flow to the built-in provider, or use the real one',
      choices: ['local', 'real'],
      default: 'real',
    },
    {
      flags: '--public-url <url>',
      description: 'the address of your tunnel: opens the public endpoints to it',
      parse: parsePublicUrl,
    },
    { flags: '--typecheck', description: "show type errors as warnings, with the project's own TypeScript" },
    { flags: '--ready-file <file>', description: 'write the addresses to this file once everything answers' },
    {
      flags: '--exec <command>',
      description:
        'run a command against the platform, then stop with its exit code; it gets PLATFORM_PUBLIC_ENDPOINT, PLATFORM_API_URL, PLATFORM_ENVELOPE_URL, PLATFORM_CONSOLE_URL and PLATFORM_WEBHOOK_SECRET',
    },
  ],
  examples: [
    { command: 'platform dev', does: 'run the integration of this folder' },
    {
      command: 'platform dev --oauth-provider local --oauth approve',
      does: 'try the OAuth flow without the network',
    },
    {
      command: 'platform dev --state memory --exec "npm test"',
      does: 'run tests against a platform of their own',
    },
  ],
  async run(context, [folder], options) {
    const { runDev } = await import('./run-dev.js');
    if (options.exec && options.open) {
      throw new UserError('exec-and-open', "--exec and --open don't go together.", 'Leave one of them out.');
    }
    return runDev(context, resolve(context.cwd, folder ?? '.'), options);
  },
});

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search) {
    throw new InvalidValue(
      'It takes the address of a tunnel without a path, such as https://my-tunnel.example.',
    );
  }
  return url.origin;
}
