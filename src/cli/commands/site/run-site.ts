import { resolve } from 'node:path';
import { applySeverities, count, createReport } from '../../../diagnostics/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { ruleRegistry } from '../../context/rule-registry.js';
import { parseSeverityChoices } from '../../context/severity-choices.js';
import type { EnvironmentOptions } from '../../session/environment-options.js';
import { printReport } from '../validate/print-report.js';
import { buildPages } from '../../../dev/static-site/build-pages.js';
import { checkPages } from '../../../dev/static-site/check-pages.js';
import { openPages } from './open-pages.js';

export interface SiteOptions extends EnvironmentOptions {
  strict?: boolean;
  maxWarnings?: number;
  rule?: string[];
  outbound?: boolean;
}

export interface BuildOptions extends SiteOptions {
  /** The path of the URL, which begins and ends with a slash. */
  baseUrl?: string;
}

/** Checks the site, and also writes it if an output folder is given. */
export async function runSite(
  context: CommandContext,
  { folder, output }: { folder: string | undefined; output?: string },
  options: BuildOptions,
): Promise<Outcome> {
  const { rule = [], strict = false, maxWarnings, baseUrl } = options;
  const choices = parseSeverityChoices(
    rule,
    strict,
    ruleRegistry.map(({ code }) => code),
  );
  const pages = await openPages(context, folder, options);
  try {
    const built =
      output === undefined
        ? undefined
        : await buildPages(pages, { folder: resolve(context.cwd, output), named: output, base: baseUrl });
    const { files, sources, diagnostics } = built ?? (await checkPages(pages));
    const report = createReport(files, applySeverities(diagnostics, choices), {
      ...(maxWarnings !== undefined && { maxWarnings }),
    });
    await printReport({ report, sources }, context, ruleRegistry);
    if (built?.written)
      context.note(`Wrote ${count(built.written, 'page')} to ${output}. Open ${output}/index.html.`);
    return report.ok ? fine : { kind: 'findings' };
  } finally {
    await pages.close();
  }
}
