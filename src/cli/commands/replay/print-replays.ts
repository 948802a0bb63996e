import { visible } from '../../../base/escape-control-characters.js';
import { relativePath } from '../../../base/node/relative-path.js';
import {
  count,
  createReport,
  renderJunitSuites,
  renderReport,
  type Diagnostic,
  type JunitSuite,
  type ReportFormat,
} from '../../../diagnostics/index.js';
import {
  acceptHint,
  diffOfDifference,
  positionOfDifference,
  explainDifference,
  isAcceptable,
  type ReplayDifference,
  type ReplayedFile,
  type ReplayedProject,
  type ReplayResult,
} from '../../../recordings/index.js';
import { paintDiff } from '../../../terminal/paint-diff.js';
import type { CommandContext } from '../../context/command.js';
import { ruleRegistry } from '../../context/rule-registry.js';
import { platformVersion } from '../../context/version.js';
import { join } from 'node:path';

/** A file, and the project that replayed it. */
export type Replayed = ReplayedFile & { project: ReplayedProject };

/** A project that could not be built while others were replayed. */
export interface BrokenProject {
  manifest: string;
  message: string;
}

/** Prints the results in the style of a test runner, or in a format for CI. */
export async function printReplays(
  context: CommandContext,
  paths: readonly string[],
  files: readonly Replayed[],
  broken: readonly BrokenProject[],
): Promise<void> {
  const { cwd, format } = context;
  if (format === 'json') context.emit(toJson(files, broken, cwd));
  else if (format === 'text') context.print(renderFiles(context, paths, files, broken));
  else if (format === 'junit')
    context.print(
      renderJunitSuites([
        ...toSuites(files, cwd),
        ...broken.map(({ manifest, message }) => ({
          name: relativePath(cwd, manifest),
          cases: [{ name: 'replay', failure: { message, text: message } }],
        })),
      ]).trimEnd(),
    );
  else {
    const diagnostics = files.flatMap(({ file, results, project }) =>
      results.flatMap((result) =>
        result.differences.map((difference) => toDiagnostic(file, result, difference, project)),
      ),
    );
    const unread = broken.map(({ manifest, message }): Diagnostic => ({
      code: 'replay/broken-project',
      severity: 'error',
      message,
      file: manifest,
    }));
    const report = createReport(
      [...files, ...unread].map(({ file }) => file),
      [...diagnostics, ...unread],
    );
    const view = { ...context, source: () => undefined, rules: ruleRegistry, version: platformVersion };
    context.print((await renderReport(format as ReportFormat, report, view)).trimEnd());
  }
}

function toJson(files: readonly Replayed[], broken: readonly BrokenProject[], cwd: string) {
  const all = files.flatMap(({ results }) => results);
  return {
    same: all.filter(({ differences }) => differences.length === 0).length,
    different: all.filter(({ differences }) => differences.length > 0).length,
    files: files.map(({ file, results, updated, project }) => ({
      file: relativePath(cwd, file),
      updated,
      calls: results.map((result) => ({
        name: result.call.name,
        same: result.differences.length === 0,
        durationMs: result.outcome.durationMs,
        differences: result.differences.map((difference) => {
          const at = positionOfDifference(result, difference, project);
          return {
            ...difference,
            ...(at && { [at.basis]: { file: at.path, line: at.line, column: at.column } }),
          };
        }),
      })),
    })),
    ...(broken.length > 0 && {
      broken: broken.map(({ manifest, message }) => ({ manifest: relativePath(cwd, manifest), message })),
    }),
  };
}

/** Creates a test case for each call, so the report shows which calls passed. */
const toSuites = (files: readonly Replayed[], cwd: string): JunitSuite[] =>
  files.map(({ file, results, project }) => ({
    name: relativePath(cwd, file),
    cases: results.map((result) => {
      const { call, differences } = result;
      const [first] = differences;
      if (!first) return { name: call.name };
      const texts = differences.map(
        (difference) => `${explainDifference(result, difference, project)}\n${diffOfDifference(difference)}`,
      );
      const message = explainDifference(result, first, project);
      return { name: call.name, failure: { message, text: texts.join('\n\n') } };
    }),
  }));

function renderFiles(
  context: CommandContext,
  paths: readonly string[],
  files: readonly Replayed[],
  broken: readonly BrokenProject[],
): string {
  const { style, cwd } = context;
  const all = files.flatMap(({ results }) => results);
  const different = all.filter(({ differences }) => differences.length > 0).length;
  const calls = all.length === 1 ? '1 call' : `${all.length} calls`;
  const verdict =
    different === 0
      ? style.green(`${calls} replayed, all the same as recorded.`)
      : style.red(`${different} of ${calls} behaved differently than recorded.`);
  return [
    ...files.flatMap(({ file, results, project }) => [
      style.bold(visible(relativePath(cwd, file))),
      ...results.flatMap((result) => renderResult(context, result, project)),
      '',
    ]),
    ...broken.flatMap(({ manifest, message }) => [
      style.bold(visible(relativePath(cwd, manifest))),
      `  ${style.red('broken')}   ${visible(message)}`,
      '',
    ]),
    ...(all.length > 0 || broken.length === 0 ? [verdict] : []),
    ...(broken.length > 0 ? [style.red(`${count(broken.length, 'integration')} failed to build.`)] : []),
    ...(all.some(isAcceptable) ? [style.dim(acceptHint(paths.join(' ')))] : []),
  ].join('\n');
}

function renderResult({ style }: CommandContext, result: ReplayResult, project: ReplayedProject): string[] {
  const name = visible(result.call.name);
  if (result.differences.length === 0) return [`  ${style.green('same')}     ${name}`];
  return [
    `  ${style.red('differs')}  ${name}`,
    ...result.differences.flatMap((difference) => {
      return [
        ...explainDifference(result, difference, project)
          .split('\n')
          .map((line) => `    ${line}`),
        ...paintDiff(diffOfDifference(difference), style)
          .split('\n')
          .map((line) => `    ${line}`),
      ];
    }),
  ];
}

/** Points to the author's line if known, or else to the recording. */
function toDiagnostic(
  file: string,
  result: ReplayResult,
  difference: ReplayDifference,
  project: ReplayedProject,
): Diagnostic {
  const at = positionOfDifference(result, difference, project);
  const start = at && { line: at.line, column: at.column };
  return {
    code: `replay/${difference.kind}`,
    severity: 'error',
    message: `${result.call.name}: ${explainDifference(result, difference, project)}\n${diffOfDifference(difference)}`,
    file: at ? join(project.folder, at.path) : file,
    ...(start && { range: { start, end: { line: start.line, column: start.column + 1 } } }),
  };
}
