import { count } from '../../diagnostics/index.js';
import { skipped, skippedWithoutBuild, type Check } from './check.js';
import { nonPortableAt } from './position-of-cause.js';

export const webApis: Check = {
  code: 'publish/web-apis',
  title: 'Web APIs',
  severity: 'error',
  summary: 'The source code uses an API that is missing or blocked in production.',
  run(submission) {
    const { bundle, building, apis, nodeModules, manifest, sources = [] } = submission;
    if (!bundle) return skippedWithoutBuild(submission);
    if (nodeModules || manifest.profile)
      return skipped('With nodejs_compat, the script can use Node modules and APIs.');
    const started = submission.facts?.started;
    // If an API prevents the script from starting, the "Start" check reports it, so it is not reported again here.
    const fatal = started?.ok === false ? nonPortableAt(started.cause, submission) : undefined;
    const found = [...building.filter(({ code }) => code === 'bundle/node-import'), ...apis].filter(
      (one) => one !== fatal,
    );
    const ignored = found.filter((one) => one.ignored !== undefined).length;
    return {
      evidence:
        found.length === 0
          ? `Checked ${count(sources.length, 'source')}. Packages in node_modules are not checked.`
          : `Found in ${count(found.length, 'place')}${ignored > 0 ? `, ${ignored} of them ignored` : ''}.`,
      findings: found,
    };
  },
};
