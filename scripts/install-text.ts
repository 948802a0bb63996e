import { readFileSync, readdirSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** A release to the registry sets this to true; `npm run generate` then changes README, guides and changelog. */
const isPublished: boolean = false;

const fence = (...commands: string[]): string => ['```sh', ...commands, '```'].join('\n');

const fromRegistry = `Install the package in your project, or in an empty folder:

${fence('npm install --save-dev integration-platform')}`;

const fromCheckout = (version: string): string => `${fromRegistry}

The package is not published yet. Until then, build it in a checkout of this repository:

${fence('npm ci && npm pack')}

Then install the file instead. This is the command for a folder next to the checkout:

${fence(`npm install --save-dev ../integration-platform/integration-platform-${version}.tgz`)}`;

const sampleFromRegistry = `With Node 20.19 or later, create a sample integration, and run it:

${fence(
  'npx -p integration-platform platform init hello --template block --organization acme --install',
  'cd hello && npx platform dev',
)}

This prints the URLs of the sample.`;

const sampleFromCheckout = `In a checkout of this repository, with Node 20.19 or later, run:

${fence('npm ci && npm run demo')}

This prints the folder and the URLs of a sample integration.`;

function sectionText(name: string, published: boolean): string {
  if (name === 'try') return published ? sampleFromRegistry : sampleFromCheckout;
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  return published ? fromRegistry : fromCheckout(version);
}

/** A page with the current text between its markers, and without what holds only until the package is published. */
export function withInstallText(page: string, published = isPublished): string {
  const text = page.replaceAll(
    /(<!-- (install|try) -->\n)[^]*?(<!-- \/\2 -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${sectionText(name, published)}\n\n${end}`,
  );
  return published
    ? text.replaceAll(/<!-- unpublished -->[^]*?<!-- \/unpublished -->(?: |\n\n)?/g, '')
    : text;
}

/** The pages that may say how to install the package. */
export const pagesToInstallFrom = (): URL[] => [
  new URL('README.md', root),
  new URL('CHANGELOG.md', root),
  ...readdirSync(new URL('docs/guides/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => new URL(`docs/guides/${name}`, root)),
];
