import { environmentOptions } from '../../session/environment-options.js';
import { defineCommand, InvalidValue } from '../../context/command.js';
import { reportOptions, sinceOption } from '../../context/report-options.js';
import type { BuildOptions, SiteOptions } from './run-site.js';

const siteOptions = {
  ...reportOptions,
  '--outbound': "allow the blocks' outbound requests",
  ...environmentOptions,
};

const check = defineCommand<SiteOptions>({
  name: 'check',
  summary: 'check links, headings, images, tags and blocks on every page',
  description:
    'Check every page of the site: links, headings, images, tags, and whether the blocks can be rendered. A folder without a manifest is checked without blocks. Outbound requests of blocks are refused.',
  arguments: {
    '[folders...]':
      "projects, folders of Markdown files, or patterns (default: this project's pages, or this folder)",
  },
  options: { ...siteOptions, ...sinceOption },
  formats: ['github', 'gitlab', 'sarif', 'junit'],
  examples: {
    'platform site check': "check the project's pages",
    'platform site check docs --strict': 'check a folder of Markdown files, and fail on any problem',
  },
  async run(context, folders, options) {
    const { runSite } = await import('./run-site.js');
    return runSite(context, { folders }, options);
  },
});

const build = defineCommand<BuildOptions>({
  name: 'build',
  summary: 'check the site and write it to a folder as static HTML',
  description:
    'Check the site, and write every page to a folder as HTML, for example for a preview in CI. Blocks are rendered once, so their controls do not work.',
  arguments: {
    '<output>': 'folder to write to: a new or empty one, or the output of an earlier build',
    '[folder]': "project, or folder of Markdown files (default: this project's pages, or this folder)",
  },
  options: {
    '--base-url <url>': {
      description: 'URL that the folder will be served at. Without it, the files can also be opened directly',
      parse: parseBaseUrl,
    },
    ...siteOptions,
  },
  formats: ['github', 'gitlab', 'sarif', 'junit'],
  examples: {
    'platform site build preview': 'write the site to the folder preview',
    'platform site build preview docs --base-url https://docs.example.com/pr-7/':
      'build a folder of Markdown files for a web server',
  },
  async run(context, [output = '', folder], options) {
    const { runSite } = await import('./run-site.js');
    return runSite(context, { folders: folder === undefined ? [] : [folder], output }, options);
  },
});

export const site = defineCommand({
  name: 'site',
  summary: 'check the documentation site, or build it as static HTML',
  examples: { ...check.examples, ...build.examples },
  subcommands: [check, build],
});

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash)
    throw new InvalidValue(
      'It must be an http:// or https:// URL, such as https://docs.example.com/preview/.',
    );
  return url.pathname.replace(/\/?$/, '/');
}
