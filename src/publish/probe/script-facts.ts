import type { ThrownError } from '../../base/text/thrown-error.js';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import type { Section } from './sections.js';

/**
 * The results of running the script once. They contain no times or ids, so two runs give the same results.
 */
export interface ScriptFacts {
  /** `later`: the error that it threw after it was loaded, outside of any call. */
  started: { ok: true; inTime: boolean; later?: ThrownError } | { ok: false; cause: ThrownError };
  /** Whether the default export accepts envelopes. */
  isIntegration: boolean;
  /** What it handles. Unknown if the default export was not created with `createIntegration`. */
  definition: Definition | undefined;
  renders: Render[];
  answers: PathAnswer[];
  /** For each section with required properties: the status after each property has a value. */
  statuses: Partial<Record<Section, string>>;
  /** Why the setup handlers failed once each property had a value. */
  setup: { problem?: ThrownError; blocked: string[] };
}

export interface Definition {
  /** Keys of the definition, such as `fetch` and `task`. */
  members: string[];
  events: string[];
  components: string[];
  contentSources: string[];
}

export interface Render {
  component: string;
  /** What went wrong, with the error that the script logged. */
  problem?: string;
  cause?: ThrownError;
  /** Unknown elements and properties in the markup. */
  unknown: readonly MarkupProblem[];
  /** The pasted link that it was rendered from, if it cannot be rendered without one. */
  url?: string;
  /** Hosts that it tried to reach in the meantime. All outbound requests are refused. */
  blocked: string[];
}

export interface PathAnswer {
  section: Section;
  path: string;
  kind: 'callback' | 'completion';
  status: number;
  /** Whether the completion responds with a list of options. */
  options?: boolean;
  /** The error that the script logged. */
  cause?: ThrownError;
  /** The `error` of a JSON response. */
  error?: string;
  blocked: string[];
}
