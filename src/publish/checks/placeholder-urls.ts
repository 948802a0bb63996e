import { count } from '../../diagnostics/index.js';
import { skippedWithoutBuild, type Check } from './check.js';
import { findInSources } from './find-in-sources.js';
import { isPlaceholderHost } from './placeholder-host.js';

/**
 * Matches a URL at the beginning of a string, up to the first inserted value. Skips input placeholders, which are meant to
 * show examples, and the second argument of `new URL`. Its host does not matter if only the path or query is read.
 */
const url =
  /(?<=["'`])(?=https?:|wss?:)(?<!\bnew URL\([^;]{1,200}?,\s*["'`])(?<!\bplaceholder\s*[:=]\s*(?:\{\s*)?["'`])\w+:\/\/([\w.<>-]+)(?::\d+)?(?=[/?#"'`])[^\s"'`$]*/gi;

export const placeholderUrls: Check = {
  code: 'publish/placeholder-url',
  title: 'Placeholders',
  severity: 'warning',
  summary: 'The source code contains a URL whose host is a placeholder, such as example.com.',
  run(submission) {
    const { bundle, sources = [] } = submission;
    if (!bundle) return skippedWithoutBuild(submission);
    const findings = findInSources(submission, url, ([found, host = '']) =>
      // A URL in a comment is not in the build.
      isPlaceholderHost(host) && bundle.code.includes(found)
        ? {
            message: `${found} is a placeholder.`,
            help: 'Enter the URL of the real service, or read it from the configuration.',
          }
        : undefined,
    );
    return {
      evidence:
        findings.length === 0
          ? `Checked ${count(sources.length, 'source')} for URLs with a placeholder host.`
          : `Found ${count(findings.length, 'URL')} with a placeholder host.`,
      findings,
    };
  },
};
