import { parseJson } from '../../base/parse-json.js';
import { describeError } from '../observe/describe-error.js';
import type { RequestParts, ScriptBackground, ScriptLog, ScriptOutbound } from '../script/script-host.js';
import { createControlChannel, eachLine, type Order, type Report } from '../wire/control-channel.js';
import { readReport } from '../wire/read-report.js';
import type { NodeChild } from './spawn-child.js';

type Reply = Exclude<
  Report['type'],
  'log' | 'outbound' | 'background' | 'blocked' | 'unblocked' | 'disguise'
>;

interface ChildControl {
  send(order: Order): void;
  /** Resolves to the next report of one of these types, or to the reason why the child ended. */
  reply(...types: Reply[]): Promise<Report | string>;
  /** Sends a command and waits for a reply of one of these types. */
  order(order: Order, ...types: Reply[]): Promise<Report | string>;
}

/** If a line is longer than this, the child reads only the beginning. */
const LONGEST_REPLY = 1_000_000;

function disguised(id: number, parts: RequestParts): Order {
  const type = 'disguised';
  return JSON.stringify(parts).length > LONGEST_REPLY ? { type, id } : { type, id, parts };
}

interface Receiver {
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  background(entry: ScriptBackground): void;
  blocked(report: Extract<Report, { type: 'blocked' }>): void;
  unblocked(): void;
  /** Replaces the secrets in a request. */
  disguise(parts: RequestParts): RequestParts;
  /** Receives a line that was written directly to standard output, bypassing the console. */
  stdout(line: string): void;
  stderr(line: string): void;
  /** Called when the child has sent an invalid report. */
  damaged(): void;
}

/** Sends commands to the child, and forwards its reports and output. */
export function createChildControl(
  { pipes, exited, kill }: Pick<NodeChild, 'pipes' | 'exited' | 'kill'>,
  { log, outbound, background, blocked, unblocked, disguise, stdout, stderr, damaged }: Receiver,
): ChildControl {
  const replies = new Map<Reply, ((report: Report) => void)[]>();
  /** An invalid report ends only the process of the script that sent it. */
  const contain =
    <Written>(take: (written: Written) => void) =>
    (written: Written): void => {
      try {
        take(written);
      } catch (error) {
        kill(`the platform could not read its output (${describeError(error)})`);
      }
    };

  const takeReport = (report: Report): void => {
    if (report.type === 'log') log(report.entry);
    else if (report.type === 'outbound') outbound(report.entry);
    else if (report.type === 'background') background(report.entry);
    else if (report.type === 'blocked') blocked(report);
    else if (report.type === 'unblocked') unblocked();
    else if (report.type === 'disguise') channel.send(disguised(report.id, disguise(report.parts)));
    else replies.get(report.type)?.shift()?.(report);
  };
  const read = (value: unknown): Report | undefined => {
    const report = readReport(value);
    if (!report) damaged();
    return report;
  };
  const channel = createControlChannel<Order, Report>(pipes.control, read, contain(takeReport));
  // Nothing depends on the watchdog's reports, so anything else that the script writes to the watchdog's pipe is ignored.
  eachLine(
    pipes.lifeline.setEncoding('utf8'),
    contain((line) => {
      const report = readReport(parseJson(line, undefined));
      if (report?.type === 'blocked' || report?.type === 'unblocked') takeReport(report);
    }),
  );
  eachLine(pipes.stdout.setEncoding('utf8'), contain(stdout));
  eachLine(pipes.stderr.setEncoding('utf8'), contain(stderr));

  const reply: ChildControl['reply'] = (...types) =>
    Promise.race([
      exited,
      ...types.map(
        (type) =>
          new Promise<Report>((resolve) => replies.set(type, [...(replies.get(type) ?? []), resolve])),
      ),
    ]);

  return {
    send: channel.send,
    reply,
    order(order, ...types) {
      const replied = reply(...types);
      channel.send(order);
      return replied;
    },
  };
}
