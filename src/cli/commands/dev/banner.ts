import type { Style } from '../../../terminal/style.js';
import { visible } from '../../../base/escape-control-characters.js';
import { wrapText } from '../../../terminal/wrap-text.js';
import type { RuntimeFacts } from '../../../dev/index.js';
import type { PlatformAddresses } from './exec-after-start.js';

interface BannerFacts {
  title: string;
  platformVersion: string;
  urls: PlatformAddresses;
  /** The folders that are served as pages. */
  pages: readonly string[];
  runtime: RuntimeFacts;
  readyInMs: number;
  notes: readonly string[];
  hotkeys: boolean;
  width: number;
}

export function renderBanner(
  { title, platformVersion, urls, pages, runtime, readyInMs, notes, hotkeys, width }: BannerFacts,
  style: Style,
): string {
  // A URL that does not fit is printed on a separate line, so that double-clicking it selects all of it.
  const row = (label: string, url: string): string =>
    url.length > width - 12
      ? `  ${style.dim(label)}\n  ${style.cyan(url)}`
      : `  ${style.dim(label.padEnd(9))} ${style.cyan(url)}`;
  const lines = [
    '',
    `  ${style.bold(visible(title))} ${style.dim(`on platform ${platformVersion}, ready in ${Math.round(readyInMs)} ms`)}`,
    '',
    row('Site', urls.site),
    row('Console', urls.console),
    row('Envelope', urls.envelope),
    row('API', urls.api),
    row('Public', urls.publicEndpoint),
    ...pages.map((folder) => row('Pages', visible(folder))),
    ...('version' in runtime ? [row('Runtime', describeRuntime(runtime))] : []),
    '',
    ...notes.map(
      (note) => `  ${style.yellow('note')} ${wrapText(visible(note), width - 7).join('\n       ')}`,
    ),
    ...(notes.length > 0 ? [''] : []),
    ...(hotkeys
      ? [
          `  ${style.dim('Press')} s ${style.dim('for the site,')} b ${style.dim('for the console,')} ? ${style.dim('for all keys,')} q ${style.dim('to stop.')}`,
          '',
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

const describeRuntime = ({
  name,
  version,
  compatibilityDate,
  compatibilityFlags,
}: Extract<RuntimeFacts, { version: string }>): string =>
  [`${name} ${version}`, `compatibility date ${compatibilityDate}`, ...compatibilityFlags].join(', ');
