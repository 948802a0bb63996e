import { readFileSync, readdirSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** A release to the registry sets this to true; `npm run generate` then changes README and guides. */
const isPublished: boolean = false;

const fromRegistry = `Install the package in your project, or in an empty folder:

\`\`\`sh
npm install --save-dev integration-platform
\`\`\``;

const fromCheckout = (version: string): string => `${fromRegistry}

The package is not published yet. Until then, build it in a checkout of this repository:

\`\`\`sh
npm ci && npm pack
\`\`\`

Then install the file instead. This is the command for a folder next to the checkout:

\`\`\`sh
npm install --save-dev ../integration-platform/integration-platform-${version}.tgz
\`\`\``;

function installText(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  return isPublished ? fromRegistry : fromCheckout(version);
}

/** A page with the current text between its markers. */
export const withInstallText = (page: string): string =>
  page.replaceAll(
    /(<!-- install -->\n)[^]*?(<!-- \/install -->)/g,
    (_, start: string, end: string) => `${start}\n${installText()}\n\n${end}`,
  );

/** The pages that may say how to install the package. */
export const pagesToInstallFrom = (): URL[] => [
  new URL('README.md', root),
  ...readdirSync(new URL('docs/guides/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => new URL(`docs/guides/${name}`, root)),
];
