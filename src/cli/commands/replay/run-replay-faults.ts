import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { visible } from '../../../base/escape-control-characters.js';
import { relativePath } from '../../../base/node/relative-path.js';
import { UserError } from '../../../base/user-error.js';
import { findIgnoreComments } from '../../../bundle/index.js';
import { createIgnores } from '../../../diagnostics/apply-ignores.js';
import {
  count,
  createReport,
  renderReport,
  reportToJson,
  type Diagnostic,
  type Report,
  type ReportFormat,
} from '../../../diagnostics/index.js';
import {
  faultRules,
  findFaults,
  groupFaults,
  readOwnRecording,
  type FaultSearch,
  type FoundFault,
  type ReplayedProject,
} from '../../../recordings/index.js';
import { createProgressLine } from '../../../terminal/progress-line.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { ruleRegistry } from '../../context/rule-registry.js';
import { platformVersion } from '../../context/version.js';
import { findRecorded, openProject, type ReplayFilesOptions } from './run-replay-files.js';

interface SearchedFile extends FaultSearch {
  file: string;
  calls: number;
}

interface Tried {
  variants: number;
  requests: number;
  repeated: number;
}

/** Makes the recorded requests fail, and reports the failures that the script does not handle. */
export async function runReplayFaults(
  context: CommandContext,
  paths: readonly string[],
  { update, runtime, only, since }: ReplayFilesOptions & { only?: string | undefined },
): Promise<Outcome> {
  if (update || (runtime ?? 'node') !== 'node')
    throw new UserError(
      'bad-value',
      `--faults cannot be combined with ${update ? '--update' : `--runtime ${runtime}`}.`,
      'Each variant needs a freshly loaded script, which only the Node runtime supports. Remove the option.',
    );
  const found = await findRecorded(context, paths, since);
  const signal = context.io.takeInterrupts();
  const searched: SearchedFile[] = [];
  const { io, redraw } = context;
  const line = createProgressLine({
    redraw,
    columns: io.stderr.columns,
    clock: io.clock,
    interrupted: () => signal,
  });
  const diagnostics: Diagnostic[] = [];
  const sources: string[] = [];
  try {
    for (const { manifest, files } of found) {
      const project = await openProject({ ...context, cwd: dirname(manifest) }, 'node');
      const ofProject: SearchedFile[] = [];
      for (const file of files) {
        const own = await readOwnRecording(file, project);
        const progress = (ended: number): void =>
          // An interrupt also ends the search itself, which reports it.
          void line
            .step(`Tried ${count(ended, 'variant')} of ${relativePath(context.cwd, file)}`)
            .catch(() => {});
        const search = await findFaults({ ...own.project, recording: own.recording, signal, only, progress });
        ofProject.push({ file, calls: own.recording.calls.length, ...search });
      }
      searched.push(...ofProject);
      sources.push(...project.sources);
      diagnostics.push(...(await findings(context.cwd, ofProject, project)));
    }
  } finally {
    line.end();
  }
  const sum = (field: keyof Tried): number => searched.reduce((total, one) => total + one[field], 0);
  const tried = { variants: sum('variants'), requests: sum('requests'), repeated: sum('repeated') };
  if (only !== undefined && tried.variants === 0)
    throw new UserError(
      'bad-value',
      `Unknown variant: ${visible(only)}`,
      'To list the variants that show a problem, run: platform replay <recording> --faults',
    );
  const report = createReport(sources, diagnostics);
  await print(context, report, searched, tried);
  return report.ok ? fine : { kind: 'findings' };
}

async function findings(
  cwd: string,
  searched: readonly SearchedFile[],
  { folder, sources }: ReplayedProject,
): Promise<Diagnostic[]> {
  const comments = await Promise.all(
    sources.map(
      async (file) => [file, await findIgnoreComments({ file, text: readFileSync(file, 'utf8') })] as const,
    ),
  );
  const ignores = createIgnores({
    comments: new Map(comments),
    codes: faultRules.map((rule) => `fault/${rule}`),
    isLocked: () => false,
  });
  const found = groupFaults(
    searched.flatMap(({ file, found: ofFile }) => ofFile.map((one) => ({ ...one, file }))),
  );
  const all = found.map(({ file, ...one }): Diagnostic => {
    const { at } = one;
    const start = at && { line: at.line, column: at.column };
    return {
      code: `fault/${one.rule}`,
      severity: 'error',
      message: messageOf(one),
      ...(one.variant !== undefined && {
        help: `Repeat it with: platform replay ${relativePath(cwd, file)} --fault ${one.variant}`,
      }),
      file: at ? join(folder, at.path) : file,
      ...(start && { range: { start, end: { line: start.line, column: start.column + 1 } } }),
    };
  });
  return ignores.apply(all);
}

function messageOf({ message, call, fault, count: times }: FoundFault): string {
  const others = times > 1 ? ` (and in ${count(times - 1, 'other case')})` : '';
  return visible(`${message} Seen in ${call}${fault === undefined ? '' : `, when ${fault}`}${others}.`);
}

async function print(
  context: CommandContext,
  report: Report,
  searched: readonly SearchedFile[],
  tried: Tried,
): Promise<void> {
  const { cwd, style, format } = context;
  const skipped = searched.flatMap(({ file, skipped: names }) =>
    names.map((name) => ({ file: relativePath(cwd, file), name })),
  );
  if (format === 'json') {
    return context.emit({ ...tried, skipped, ...reportToJson(report, context) });
  }
  const source = (file: string): { text: string } | undefined =>
    file.endsWith('.json') ? undefined : { text: readFileSync(file, 'utf8') };
  const view = { ...context, source, rules: ruleRegistry, version: platformVersion };
  const nothing = tried.variants === 0 && report.diagnostics.length === 0 && format === 'text';
  // If nothing could be tried, "No problems" would be misleading.
  if (nothing) context.print(whyNothing(searched));
  else {
    context.print((await renderReport(format as ReportFormat, report, view)).trimEnd());
    for (const line of describeTried(tried)) context.note(style.dim(line));
  }
  for (const { file, name } of skipped)
    context.note(`Skipped ${visible(name)} in ${file}, which behaves differently than recorded.`);
}

const whyNothing = (searched: readonly SearchedFile[]): string =>
  searched.every(({ calls, skipped }) => calls === skipped.length)
    ? 'No variants were tried, because every recorded call behaves differently than recorded.'
    : 'No variants were tried, because the recorded calls sent no successful requests to other services.';

/** If no problems were found, these lines are the only evidence of how thorough the search was. */
const describeTried = ({ variants, requests, repeated }: Tried): string[] => [
  `Tried ${count(variants, 'variant')} of the recorded calls.`,
  ...(variants > requests && requests > 0
    ? [
        `Made ${count(requests, 'outbound request')} fail with a 500, a 429, an HTML response, a reset connection or no response.`,
      ]
    : []),
  ...(repeated > 0 ? [`Delivered ${count(repeated, 'call')} twice.`] : []),
];
