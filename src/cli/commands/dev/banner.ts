import type { Style } from '../../../terminal/style.js';
import { visible } from '../../../base/escape-control-characters.js';
import { wrapText } from '../../../terminal/wrap-text.js';
import type { RuntimeFacts } from '../../../dev/index.js';
import type { PlatformAddresses, SharedAddresses } from './exec-after-start.js';

interface BannerFacts {
  title: string;
  platformVersion: string;
  urls: PlatformAddresses;
  pages: readonly string[];
  runtime: RuntimeFacts;
  readyInMs: number;
  notes: readonly string[];
  hotkeys: boolean;
  width: number;
}

export const renderBanner = ({ title, urls, runtime, ...facts }: BannerFacts, style: Style): string =>
  render({ ...facts, title, urls }, style, (row) => [
    row('Public', urls.publicEndpoint),
    ...facts.pages.map((folder) => row('Pages', visible(folder))),
    ...('version' in runtime ? [row('Runtime', describeRuntime(runtime))] : []),
  ]);

interface FrontFacts extends Omit<BannerFacts, 'title' | 'urls' | 'runtime'> {
  urls: SharedAddresses;
  integrations: readonly { title: string; folder: string; publicEndpoint?: string; reason?: string }[];
}

/** The banner of several integrations: each has its public URL, or why it is not running. */
export const renderFrontBanner = ({ integrations, ...facts }: FrontFacts, style: Style): string =>
  render({ ...facts, title: `${integrations.length} integrations` }, style, (row) => [
    ...facts.pages.map((folder) => row('Pages', visible(folder))),
    '',
    ...integrations.map(
      ({ title, folder, publicEndpoint, reason = '' }) =>
        `  ${visible(title)} ${style.dim(`(${visible(folder)})`)}\n  ${publicEndpoint === undefined ? style.red(`not running: ${reason}`) : style.cyan(publicEndpoint)}`,
    ),
  ]);

function render(
  {
    title,
    platformVersion,
    urls,
    readyInMs,
    notes,
    hotkeys,
    width,
  }: Omit<FrontFacts, 'integrations'> & { title: string },
  style: Style,
  rowsOf: (row: (label: string, url: string) => string) => string[],
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
    ...rowsOf(row),
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
