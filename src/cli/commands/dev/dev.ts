import { runtimeNames } from '../../../protocol/runtime-names.js';
import { resolve } from 'node:path';
import { UserError } from '../../../base/user-error.js';
import { consentModes } from '../../../protocol/oauth/oauth-outcomes.js';
import { environmentOptions } from '../../session/environment-options.js';
import type { DevOptions } from './session-options.js';
import { defineCommand, InvalidValue, parseCount, parsePort, parseZonedTime } from '../../context/command.js';

export const dev = defineCommand<DevOptions>({
  name: 'dev',
  summary: 'run integrations on a local platform, and reload when files change',
  description:
    'Run the integration on a local platform with installations, events, public endpoints, OAuth, webhooks and a console in the browser. Reloads when a file changes.',
  arguments: {
    '[folders...]':
      'folders or patterns; several integrations share a site and a console (default: this folder or the nearest parent with a manifest)',
  },
  options: {
    '-p, --port <port>': {
      description:
        'port for public endpoints and the API (default: that of the last session, or the first free one from 4100)',
      parse: parsePort,
    },
    '--console-port <port>': {
      description: 'port for the console, for example for port forwarding (default: a random port)',
      parse: parsePort,
    },
    '--site-port <port>': {
      description: 'port for the documentation site, for example for browser tests (default: a random port)',
      parse: parsePort,
    },
    '--content <folder>':
      "folder of Markdown files to use as the first space's pages (default: docs, or sample pages)",
    '--open': 'open the console in the browser',
    '--fresh': 'discard installations, calls and deliveries from earlier sessions (keeps saved states)',
    '--state <where>': {
      description: 'where to keep the state',
      choices: ['disk', 'memory'],
      default: 'disk',
    },
    '--clock <time>': {
      description: "start with another time than the machine's, such as 2026-12-24T09:00+01:00",
      parse: parseZonedTime,
    },
    '--not-installed': 'start without an installation',
    ...environmentOptions,
    '--timeout <seconds>': { description: 'time limit for a response (default: 30)', parse: parseCount },
    '--runtime <name>': {
      description: 'runtime for the script; overrides platform.dev.yaml',
      choices: [...runtimeNames],
    },
    '--inspect [port]': {
      description: 'allow a debugger to attach to the script (default port: 9229)',
      parse: parsePort,
    },
    '--scopes <mode>': {
      description: 'what to do if a scope is missing',
      choices: ['warn', 'enforce'],
      default: 'warn',
    },
    '--oauth <outcome>': {
      description: 'how the built-in OAuth provider responds',
      choices: [...consentModes],
      default: 'ask',
    },
    '--oauth-provider <which>': {
      description: 'OAuth provider to use: the built-in one or the real one',
      choices: ['local', 'real'],
      default: 'real',
    },
    '--public-url <url>': {
      description: 'URL of your tunnel, such as https://my-tunnel.example',
      parse: parsePublicUrl,
    },
    '--vault': "ask the vault's own command for secrets such as op://vault/item/field",
    '--typecheck': "report type errors as warnings, using the project's TypeScript",
    '--ready-file <file>': 'write the URLs to this file once the platform is ready',
    '--exec <command>':
      "run a command once the platform is ready, then exit with the command's exit code; the URLs are passed to it in PLATFORM_PUBLIC_ENDPOINT, PLATFORM_API_URL, PLATFORM_ENVELOPE_URL, PLATFORM_CONSOLE_URL and PLATFORM_SITE, and the webhook secret in PLATFORM_WEBHOOK_SECRET",
  },
  examples: {
    'platform dev': 'run the integration in this folder',
    "platform dev 'integrations/*'": 'run all integrations of a repository together',
    'platform dev --oauth-provider local --oauth approve': 'try the OAuth flow offline',
    'platform dev --state memory --exec "npm test"': 'run tests against a fresh platform',
  },
  async run(context, named, options) {
    if (options.exec && options.open) {
      throw new UserError('exec-and-open', '--exec and --open cannot be combined.', 'Remove one of them.');
    }
    if (options.readyFile !== undefined) {
      const { checkOutputPath } = await import('../../context/check-output-path.js');
      const named = options.readyFile;
      checkOutputPath({ option: '--ready-file', named, example: 'ready.json' }, context.cwd);
    }
    const { findIntegrations } = await import('./find-integrations.js');
    const found = findIntegrations(named, context.cwd);
    if (found && found.length > 1) {
      const { runFront } = await import('./run-front.js');
      return runFront(context, named, found, options);
    }
    const { runDev } = await import('./run-dev.js');
    return runDev(context, found?.[0] ?? resolve(context.cwd, named[0] ?? '.'), options);
  },
});

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search) {
    throw new InvalidValue('It must be an https:// URL without a path, such as https://my-tunnel.example.');
  }
  return url.origin;
}
