import type { Call } from '../../contract/call.js';
import type { AgentToolName } from '../../contract/agent-tools.js';
import type { CallLine } from '../../contract/routes/calls.js';
import type { BuildProblem } from '../../protocol/build-report.js';
import type { Found } from '../answer/pack-answer.js';

/** A manifest problem that can be found without a running platform. */
export type ManifestProblem = Omit<BuildProblem, 'frame'>;

export interface DocsPage {
  page: string;
  title: string;
  text: string;
}

/** Everything outside this folder that the tools use. */
export interface McpWorld {
  version: string;
  /** Returns a client for this folder's platform. Checks the session file, and throws a `UserError` if there is no session. */
  connect(): Promise<Call>;
  /** Returns the call once its `waitUntil` work has settled. */
  settled(call: Call, id: string): Promise<CallLine | undefined>;
  validate(): ManifestProblem[];
  docs: {
    pages(): DocsPage[];
    /** Returns the matching pages, each with its best section. The best page comes first. */
    search(words: string): (DocsPage & { heading: string })[];
  };
  codes: { list(): string[]; page(code: string): string | undefined };
}

type Input = Readonly<Record<string, unknown>>;
export type Tool = (input: Input, world: McpWorld) => Promise<Found> | Found;
export type Tools<Name extends AgentToolName> = Record<Name, Tool>;

export const startHint =
  'Start the platform in the background: node ./node_modules/integration-platform/bin/platform.js dev --format json';
