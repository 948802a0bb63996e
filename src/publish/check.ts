import type { Range, Severity } from '../diagnostics/diagnostic.js';
import type { Finding } from '../diagnostics/rule.js';
import type { Submission } from './submission.js';

export interface PublishFinding extends Finding {
  /** Another one than the check's own. */
  severity?: Severity;
  /** Where it is, when that is not the manifest: an absolute path, and a place in it. */
  file?: string;
  range?: Range;
}

/** What a check saw. Findings that are errors fail it. */
export interface Seen {
  /** What the verdict rests on, in a sentence or two; the same for the same project. */
  evidence: string;
  findings?: PublishFinding[];
  /** What a person has to look at, where nothing here can tell. */
  person?: string;
}

/** One thing that a reviewer looks at. */
export interface Check {
  /** `publish/…`: of the check, of its findings and of its page. */
  code: string;
  title: string;
  severity: Severity;
  /** It is about the page in the marketplace: for another target it only warns. */
  ofListing?: true;
  /** One sentence for lists of rules. */
  summary: string;
  look(submission: Submission): Seen;
}

export type Verdict = 'pass' | 'fail' | 'needs-person';

export interface CheckResult {
  id: string;
  title: string;
  verdict: Verdict;
  evidence: string;
  help?: string;
}
