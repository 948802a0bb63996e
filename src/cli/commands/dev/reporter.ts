import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createReport, renderReport, type Diagnostic, type Source } from '../../../diagnostics/index.js';
import type { SessionEvent } from '../../../dev/index.js';
import { frameOfError } from '../../../sandbox/process/source-frame.js';
import type { CommandContext } from '../../context/command.js';
import type { Io } from '../../context/io.js';
import type { SourceFrame } from '../../../protocol/log-and-outbound-types.js';
import { platformVersion } from '../../context/version.js';
import {
  renderLate,
  renderLog,
  renderNews,
  renderFinishedCall,
  type LiveView,
} from '../../session/live-lines.js';
import { createSessionLines } from './json-lines.js';

export interface Reporter {
  tell(event: SessionEvent): void;
  /**
   * Prints the `ready` line or the banner, followed by the earlier events. Those that prevent the session from starting have
   * already been printed, so they are skipped.
   */
  ready(line: object, banner: string): void;
  /** Prints the earlier events, and from now on each event when it happens. */
  release(): void;
}

type ReporterContext = Pick<
  CommandContext,
  'style' | 'width' | 'wrapAt' | 'cwd' | 'json' | 'quiet' | 'print' | 'emit'
> & { io: Pick<Io, 'stderr'> };

/** `waits` means that a broken build can still be fixed. */
export function createReporter(context: ReporterContext, waits: boolean): Reporter {
  const { style, width, wrapAt, cwd, print, io } = context;
  // With `--exec`, the output of the command is the result.
  const printProblem = waits ? print : (text: string) => io.stderr.write(`${text.replace(/\n$/, '')}\n`);
  const silent = context.quiet && !waits;
  const lines = createSessionLines(context, waits);
  let held: string[] | undefined = [];
  const say = (text: string): void => {
    if (silent) return;
    if (held) held.push(text);
    else print(text);
  };
  let hasWorked = false;
  const waiting = (): string =>
    waits
      ? `${style.dim(`Waiting for a change.${hasWorked ? ' Still serving the last working build.' : ''}`)}\n`
      : '';
  const view: LiveView = { style, width, wrapAt };
  /**
   * Warnings about running calls. They are held back and printed below their call, because they would otherwise seem to
   * belong to the previous one.
   */
  const running = new Map<string, string[]>();

  /** Reports are rendered one after another, because the renderer is loaded on first use. */
  let rendering = Promise.resolve();
  const showFindings = (all: Diagnostic[], sources: ReadonlyMap<string, Source>, after = ''): void => {
    const findings = all.filter(({ ignored }) => ignored === undefined);
    if (findings.length === 0) return;
    const report = createReport([...new Set(findings.map(({ file }) => file))], findings);
    rendering = rendering
      .then(() =>
        renderReport('text', report, {
          cwd,
          width,
          style,
          rules: [],
          version: platformVersion,
          source: readFrom(sources),
        }),
      )
      .then((text) => printProblem(`\n${text}${after}`));
  };

  /**
   * Returns the list that a warning about a running call is added to. A warning about a call that blocks the script is
   * printed immediately instead.
   */
  const warningsOf = (event: SessionEvent): string[] | undefined =>
    event.type === 'warning' && event.code !== 'blocked' && event.call !== undefined
      ? running.get(event.call)
      : undefined;

  const release = (): void => {
    if (context.json) return lines.release();
    const before = held ?? [];
    held = undefined;
    if (!silent) before.forEach(print);
  };

  return {
    ready(line, banner) {
      if (context.json) return lines.ready(line);
      if (!silent) print(banner);
      release();
    },
    release,
    tell: context.json
      ? lines.tell
      : (event) => {
          switch (event.type) {
            case 'broken':
              return showFindings(event.diagnostics, event.sources, waiting());
            case 'broken-script':
              return printProblem(
                [
                  `\n${style.red('error')} The script was built, but failed to load:`,
                  ...renderLog({ level: 'error', text: event.message, ...frameIn(event.message, cwd) }, view),
                  waiting(),
                ].join('\n'),
              );
            case 'checked':
              return showFindings(event.diagnostics, event.sources);
            case 'built':
              hasWorked = true;
              showFindings(event.warnings, event.sources);
              return say(style.dim(`          built in ${Math.round(event.durationMs)} ms`));
            case 'log':
              return event.late ? say(renderLate(event.line, view)) : undefined;
            case 'call-started':
              running.set(event.call.id, []);
              return undefined;
            case 'call-finished': {
              const { call } = event;
              const shown = renderFinishedCall({ ...call, severity: call.verdict?.severity ?? 'none' }, view);
              const warnings = running.get(call.id) ?? [];
              running.delete(call.id);
              return say([shown, ...warnings].join('\n'));
            }
            default: {
              const news = renderNews(event, view);
              if (news === undefined) return undefined;
              const held = warningsOf(event);
              if (held) return void held.push(news);
              return isUrgent(event) ? printProblem(news) : say(news);
            }
          }
        },
  };
}

/** Reported even before the start and with --quiet, because the user is waiting. */
const isUrgent = (event: SessionEvent): boolean =>
  event.type === 'warning' && ['long-load', 'stopping', 'not-placed'].includes(event.code);

/**
 * Returns the lines around an error that occurred during loading. The script has just been built, so its files have not changed
 * since then.
 */
function frameIn(stack: string, cwd: string): { frame?: SourceFrame } {
  const frame = frameOfError(stack, (path) => readFrom(new Map())(resolve(cwd, path))?.text);
  return frame ? { frame } : {};
}

const readFrom =
  (sources: ReadonlyMap<string, Source>) =>
  (file: string): Source | undefined => {
    const known = sources.get(file);
    if (known) return known;
    try {
      return { text: readFileSync(file, 'utf8') };
    } catch {
      return undefined;
    }
  };
