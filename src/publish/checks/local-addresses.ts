import { count } from '../../diagnostics/index.js';
import { skippedWithoutBuild, type Check } from './check.js';
import { findInSources } from './find-in-sources.js';

/** Matches the beginning of a string with a URL on the author's own machine. */
const local =
  /(?<=["'`])(?:https?|wss?):\/\/(?:[\w-]+\.)?(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?::\d+)?(?=[/?#"'`])/gi;

export const localAddresses: Check = {
  code: 'publish/local-address',
  title: 'Addresses',
  severity: 'warning',
  summary: 'The source code contains a URL that points to your own machine.',
  run(submission) {
    const { bundle, sources = [] } = submission;
    if (!bundle) return skippedWithoutBuild(submission);
    const findings = findInSources(submission, local, ([url]) => ({
      message: `${url} is only reachable on your own machine.`,
      help: 'Use the public URL of the service, or read it from the configuration or a secret.',
    }));
    return {
      evidence:
        findings.length === 0
          ? `Checked ${count(sources.length, 'source')} for URLs that point to your own machine.`
          : `Found ${count(findings.length, 'URL')} that ${findings.length === 1 ? 'points' : 'point'} to your own machine.`,
      findings,
    };
  },
};
