import type { BuildProblem, BuildReport } from '../../protocol/build-report.js';
import type { ConfigurationValues, InstallationStatus } from '../../protocol/environment.js';
import type { EventType } from '../../protocol/events.js';
import type { Integration } from '../../protocol/integration.js';
import type { Organization, Site, Space } from '../../protocol/workspace.js';

// What the console's API answers.

/** An installation, or its part in one site or space. */
interface InstalledResource {
  status: InstallationStatus;
  configuration: ConfigurationValues;
  externalIds: string[];
  urls: { publicEndpoint: string };
  problems: { property: string; message: string }[];
}

export interface InstallationResource extends InstalledResource {
  id: string;
  organization: string;
  sites: (InstalledResource & { site: string })[];
  spaces: (InstalledResource & { space: string })[];
}

export interface PlatformResource {
  integration: Omit<Integration, 'secrets'> & { secrets: string[] };
  version: number;
  urls: {
    console: string;
    envelope: string;
    api: string;
    publicEndpoint: string;
    publicContentEndpoint: string;
  };
  organizations: Organization[];
  spaces: Space[];
  sites: Site[];
  installations: InstallationResource[];
  lastBuild?: BuildReport;
}

export interface EventTypeResource {
  type: EventType;
  scope?: string;
  sample?: Record<string, unknown>;
}

/** Text, or base64 where the bytes are none. */
export interface BodyResource {
  encoding: 'utf-8' | 'base64';
  content: string;
}

export interface AnswerResource {
  version: number;
  status: number;
  headers: [name: string, value: string][];
  body: BodyResource;
}

export interface ReplayResource {
  call: string;
  before: AnswerResource;
  after: AnswerResource;
  same: boolean;
  /** Secrets in the recorded request were hidden, and stayed so. */
  masked: boolean;
}

export interface EndpointResource {
  id: string;
  installationId: string;
  place: { type: 'space' | 'site'; id: string };
  url: string;
  events: string[];
  enabled: boolean;
  rotatesUntil?: number;
  createdAt: number;
}

export type DeliveryState = 'pending' | 'retrying' | 'delivered' | 'failed' | 'exhausted' | 'poisoned';

export interface DeliveryResource {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  state: DeliveryState;
  phase: 'waiting' | 'preparing' | 'sending' | 'done';
  createdAt: number;
  dueAt?: number;
  finishedAt?: number;
  attempts: number;
  requests: number;
  crashes: number;
  bodyBytes: number;
  resentFrom?: string;
}

export interface DeliveryFilter {
  failed: boolean;
}

export interface AttemptResource {
  number: number;
  startedAt: number;
  durationMs: number;
  result:
    | { kind: 'answer'; status: number; body: BodyResource }
    | { kind: 'error'; error: string; message: string }
    | { kind: 'interrupted' };
}

export interface DeliveryDetailResource {
  delivery: DeliveryResource;
  attempts: AttemptResource[];
  body: BodyResource;
}

export interface CheckResource {
  id: string;
  verdict: 'pass' | 'warn' | 'fail' | 'review' | 'skipped';
  evidence: string;
  help?: string;
}

/** A finding as `publish-check --json` prints it. */
export interface DiagnosticResource extends Omit<BuildProblem, 'line' | 'column' | 'frame'> {
  range?: { start: { line: number; column: number } };
}

export interface ListingResource {
  summary: { errors: number; warnings: number; infos: number };
  diagnostics: DiagnosticResource[];
  checks: CheckResource[];
}
