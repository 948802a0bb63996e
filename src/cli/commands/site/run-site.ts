import { dirname, resolve } from 'node:path';
import { inParallel } from '../../../base/in-parallel.js';
import { readStats } from '../../../base/node/read-stats.js';
import { relativePath } from '../../../base/node/relative-path.js';
import { isUserError, UserError } from '../../../base/user-error.js';
import { applySeverities, count, createReport } from '../../../diagnostics/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { ruleRegistry } from '../../context/rule-registry.js';
import { parseSeverityChoices } from '../../context/severity-choices.js';
import type { EnvironmentOptions } from '../../session/environment-options.js';
import { printReport } from '../validate/print-report.js';
import { buildPages } from '../../../dev/static-site/build-pages.js';
import { checkPages } from '../../../dev/static-site/check-pages.js';
import { findManifest, findManifests } from '../../../manifest/index.js';
import { isGlob } from '../../../manifest/read/glob.js';
import { changedSince } from '../../session/changed-since.js';
import { openPages } from './open-pages.js';

export interface SiteOptions extends EnvironmentOptions {
  strict?: boolean;
  maxWarnings?: number;
  rule?: string[];
  outbound?: boolean;
  since?: string;
}

export interface BuildOptions extends SiteOptions {
  /** The path of the URL, which begins and ends with a slash. */
  baseUrl?: string;
}

/** Checks the sites, and also writes the only one if an output folder is given. */
export async function runSite(
  context: CommandContext,
  { folders: named, output }: { folders: readonly string[]; output?: string },
  options: BuildOptions,
): Promise<Outcome> {
  const { rule = [], strict = false, maxWarnings, since } = options;
  const choices = parseSeverityChoices(
    rule,
    strict,
    ruleRegistry.map(({ code }) => code),
  );
  const { cwd } = context;
  const folders = named.flatMap((name) =>
    isGlob(name) && !readStats(resolve(cwd, name))
      ? findManifests([name], cwd).map((file) => relativePath(cwd, dirname(file)) || '.')
      : [name],
  );
  const all = folders.length > 0 ? folders : [undefined];
  const manifestOf = (folder = '.'): string => findManifest(resolve(cwd, folder)) ?? '';
  const changed = await changedSince(context, since, all.map(manifestOf).filter(Boolean));
  const chosen = all.filter((folder) => ['', ...changed].includes(manifestOf(folder)));
  const sites = await inParallel(chosen, (folder) =>
    checkSite(context, { folder, output, mayBeEmpty: all.length > 1 }, options),
  );
  const found = sites.filter((site) => site !== undefined);
  if (found.length === 0 && chosen.length > 0)
    throw new UserError('no-pages', 'None of the folders has pages.', 'Pass folders with Markdown files.');
  const report = createReport(
    found.flatMap(({ files }) => files),
    applySeverities(
      found.flatMap(({ diagnostics }) => diagnostics),
      choices,
    ),
    { ...(maxWarnings !== undefined && { maxWarnings }) },
  );
  const sources = new Map(found.flatMap((site) => [...site.sources]));
  await printReport({ report, sources }, context, ruleRegistry);
  const written = found.reduce((sum, site) => sum + site.written, 0);
  if (written > 0) context.note(`Wrote ${count(written, 'page')} to ${output}. Open ${output}/index.html.`);
  return report.ok ? fine : { kind: 'findings' };
}

/** Resolves to undefined if the site may be empty, and is. */
async function checkSite(
  context: CommandContext,
  {
    folder,
    output,
    mayBeEmpty,
  }: { folder: string | undefined; output: string | undefined; mayBeEmpty: boolean },
  options: BuildOptions,
) {
  try {
    const pages = await openPages(context, folder, options);
    try {
      if (output === undefined) return { ...(await checkPages(pages)), written: 0 };
      const at = resolve(context.cwd, output);
      return await buildPages(pages, { folder: at, named: output, base: options.baseUrl });
    } finally {
      await pages.close();
    }
  } catch (error) {
    if (mayBeEmpty && isUserError(error) && error.code === 'no-pages') return undefined;
    throw error;
  }
}
