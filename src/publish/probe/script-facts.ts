import type { ThrownError } from '../../base/text/thrown-error.js';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import type { Section } from './sections.js';

/**
 * The results of running the script once. They contain no times or ids, so two runs give the same results.
 */
export interface ScriptFacts {
  /** `later`: an error thrown after loading, outside any call. */
  started: { ok: true; inTime: boolean; later?: ThrownError } | { ok: false; cause: ThrownError };
  /** Whether the default export accepts envelopes. */
  isIntegration: boolean;
  /**
   * The events and components it handles. Unknown if the default export was not created with
   * `createIntegration`.
   */
  definition: Definition | undefined;
  renders: Render[];
  answers: PathAnswer[];
  /** For each section with required properties, the status once every property has a value. */
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
  /** The problem, including the error that the script logged. */
  problem?: string;
  cause?: ThrownError;
  /** Unknown elements and properties in the markup. */
  unknown: readonly MarkupProblem[];
  /** The pasted link from which it was rendered, if it cannot be rendered without one. */
  url?: string;
  /** Hosts that it tried to reach in the meantime. All outbound requests are blocked. */
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
  /** The `error` field of a JSON response. */
  error?: string;
  blocked: string[];
}
