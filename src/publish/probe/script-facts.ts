import type { ThrownError } from '../../base/text/thrown-error.js';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import type { Section } from './sections.js';

/** What running the script once showed. No times, no ids: two runs show the same. */
export interface ScriptFacts {
  /** `later`: what it failed with outside of all calls, after it was loaded. */
  started: { ok: true; inTime: boolean; later?: ThrownError } | { ok: false; cause: ThrownError };
  /** The default export answers envelopes. */
  isIntegration: boolean;
  /** What it handles; unknown where another function than `createIntegration` made it. */
  definition: Definition | undefined;
  renders: Render[];
  answers: PathAnswer[];
  /** By section with required properties: the status after each property got a value. */
  statuses: Partial<Record<Section, string>>;
  /** What the setup handlers failed with once each property had a value. */
  setup: { problem?: ThrownError; blocked: string[] };
}

export interface Definition {
  /** Its own keys, such as `fetch` and `task`. */
  members: string[];
  events: string[];
  components: string[];
  contentSources: string[];
}

export interface Render {
  component: string;
  /** What went wrong, and the error that the script logged. */
  problem?: string;
  cause?: ThrownError;
  /** What the platform does not know of the markup. */
  unknown: readonly MarkupProblem[];
  /** The pasted link that it was drawn from, as it could not be without one. */
  url?: string;
  /** Hosts that it wanted to reach meanwhile, which nothing here does. */
  blocked: string[];
}

export interface PathAnswer {
  section: Section;
  path: string;
  kind: 'callback' | 'completion';
  status: number;
  /** A completion answers with a list of options. */
  options?: boolean;
  /** The error that the script logged. */
  cause?: ThrownError;
  /** The `error` of a JSON response. */
  error?: string;
  blocked: string[];
}
