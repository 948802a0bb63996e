import type { Style } from '../../diagnostics/style.js';
import type { PlatformAddresses } from './exec-command.js';

interface BannerFacts {
  title: string;
  platformVersion: string;
  urls: PlatformAddresses;
  readyInMs: number;
  notes: readonly string[];
  hotkeys: boolean;
}

export function renderBanner(
  { title, platformVersion, urls, readyInMs, notes, hotkeys }: BannerFacts,
  style: Style,
): string {
  const row = (label: string, value: string): string => `  ${style.dim(label.padEnd(9))} ${value}`;
  const lines = [
    '',
    `  ${style.bold(title)} ${style.dim(`on platform ${platformVersion}, ready in ${Math.round(readyInMs)} ms`)}`,
    '',
    row('Console', style.cyan(urls.console)),
    row('Public', style.cyan(urls.publicEndpoint)),
    row('Envelope', style.cyan(urls.envelope)),
    row('API', style.cyan(urls.api)),
    '',
    ...notes.map((note) => `  ${style.yellow('note')} ${note}`),
    ...(notes.length > 0 ? [''] : []),
    ...(hotkeys
      ? [
          `  ${style.dim('Press')} b ${style.dim('for the console,')} ? ${style.dim('for all keys,')} q ${style.dim('to stop.')}`,
          '',
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
