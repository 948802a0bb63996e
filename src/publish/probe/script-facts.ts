import type { ThrownError } from '../../base/text/thrown-error.js';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import type { Section } from './sections.js';

/** What was learned by running the script once. It contains no times or ids, so two runs give the same results. */
export interface ScriptFacts {
  /** `later` is an error thrown after loading, outside of any call. */
  started: { ok: true; inTime: boolean; later?: ThrownError } | { ok: false; cause: ThrownError };
  /** Whether the default export accepts envelopes. */
  isIntegration: boolean;
  /**
   * The events and components that the script handles. Unknown if the default export was not created with `createIntegration`.
   */
  definition: Definition | undefined;
  renders: Render[];
  answers: PathAnswer[];
  /** For each section with required properties, the status after every property has a value. */
  statuses: Partial<Record<Section, string>>;
  /** Why the setup handlers failed once every property had a value. */
  setup: { problem?: ThrownError; blocked: string[] };
}

export interface Definition {
  /** The keys of the definition, such as `fetch` and `task`. */
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
  /** The link that the block was rendered from, if it cannot be rendered without one. */
  url?: string;
  /** The hosts that the script tried to reach during the render. All outbound requests are blocked. */
  blocked: string[];
}

export interface PathAnswer {
  section: Section;
  path: string;
  kind: 'callback' | 'completion';
  status: number;
  /** Whether the completion endpoint responds with a list of options. */
  options?: boolean;
  cause?: ThrownError;
  error?: string;
  blocked: string[];
}
