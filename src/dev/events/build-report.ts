import { readFileSync } from 'node:fs';
import { renderCodeFrame, toFrameSource } from '../../diagnostics/report/code-frame.js';
import type { Diagnostic, Source } from '../../diagnostics/model/diagnostic.js';
import { relativePath } from '../../base/node/relative-path.js';
import { readThrownError } from '../../base/text/thrown-error.js';
import { createStyle } from '../../terminal/style.js';
import type { BuildProblem, BuildReport } from '../../protocol/build-report.js';
import type { SessionEvent } from './session-event.js';

const style = createStyle(false);
const width = 100;

/** Updates the build report for the console. Returns undefined if the event is not about a build. */
export function reportBuild(
  event: SessionEvent,
  folder: string,
  time: number,
  last?: BuildReport,
): BuildReport | undefined {
  if (event.type === 'warning' && event.code === 'typecheck')
    return last && { ...last, typesNotChecked: event.message };
  const report = readReport(event, folder, time, last);
  return report && last?.typesNotChecked !== undefined
    ? { ...report, typesNotChecked: last.typesNotChecked }
    : report;
}

function readReport(
  event: SessionEvent,
  folder: string,
  time: number,
  last?: BuildReport,
): BuildReport | undefined {
  switch (event.type) {
    case 'checked': {
      // Pages are not part of the build.
      if (event.by === 'content') return undefined;
      const shown = event.diagnostics.filter(({ ignored }) => ignored === undefined);
      const problems = shown.map((problem) => describe(problem, folder, event.sources));
      // Replaces the problems of an earlier type check, because types can be checked again without a new build.
      const others = last?.problems.filter(
        ({ code }) => event.by !== 'types' || !code.startsWith('typescript/'),
      );
      if (event.by === 'apis' && problems.length === 0) return undefined;
      return last?.ok && others ? { ...last, problems: [...others, ...problems] } : undefined;
    }
    case 'built': {
      const problems = event.warnings.map((warning) => describe(warning, folder, event.sources));
      return { ok: true, what: 'script', time, durationMs: event.durationMs, problems };
    }
    case 'broken': {
      const problems = event.diagnostics.map((problem) => describe(problem, folder, event.sources));
      return { ok: false, what: event.what === 'manifest' ? 'manifest' : 'script', time, problems };
    }
    case 'broken-script': {
      const [message = '', ...stack] = event.message.split('\n');
      const { position } = readThrownError(event.message);
      const problem: BuildProblem = {
        code: 'script',
        severity: 'error',
        message,
        file: position?.path ?? '.',
        ...(position && { line: position.line, column: position.column }),
        frame: stack,
      };
      return { ok: false, what: 'script', time, problems: [problem] };
    }
    default:
      return undefined;
  }
}

function describe(
  { code, severity, message, help, file, range }: Diagnostic,
  folder: string,
  sources: ReadonlyMap<string, Source>,
): BuildProblem {
  const source = range && (sources.get(file) ?? readSource(file));
  const frame = range && source && renderCodeFrame(toFrameSource(source), range, { style, severity, width });
  return {
    code,
    severity,
    message,
    ...(help !== undefined && { help }),
    file: relativePath(folder, file),
    ...(range && { line: range.start.line, column: range.start.column }),
    ...(frame && { frame }),
  };
}

function readSource(file: string): Source | undefined {
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch {
    return undefined;
  }
}
