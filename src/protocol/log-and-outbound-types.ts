/** A line that a script printed, formatted as Node prints it. */
export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
  time: number;
  /** For an error with a stack, the lines around the author's line, as they were when the script was built. */
  frame?: SourceFrame;
}

/** Some lines of a source file. */
export interface SourceFrame {
  firstLine: number;
  lines: string[];
}

/** A request that a script made. */
export interface OutboundCall {
  /**
   * The number of the request. A call's requests are numbered in the order in which they started. Absent in state that was
   * saved by older versions.
   */
  number?: number;
  method: string;
  url: string;
  /** The response status, or 0 if there was no response. */
  status: number;
  /** Why there was no response, or why the rest of its body is missing. */
  error?: string;
  /** The code of the error's cause, such as `ECONNREFUSED`. */
  code?: string;
  /** Set if the script aborted the request, for example with a timeout, before the response was complete. */
  aborted?: true;
  /** The URL that responded, if `fetch` followed redirects. */
  finalUrl?: string;
  durationMs: number;
  requestBytes: number;
  responseBytes: number;
  time: number;
  /** What responded instead, according to `outbound` in platform.dev.yaml: a URL, a status, or `refused`. */
  rerouted?: string;
  /** Set if the script did not read the response body. */
  unread?: true;
  /**
   * The number under which the headers and bodies of the request are stored. Requests are numbered in the order in which they
   * ended. Absent if nothing was recorded.
   */
  details?: number;
  /** The author's line that sent the request. Known only in Node. */
  at?: { file: string; line: number; column: number };
}

/** What an outbound request sent and received. */
export interface Exchange<Message> {
  request: Message;
  /** Absent if there was no response. */
  response?: Message;
}

/** Secrets are masked. */
export type OutboundDetails = Exchange<OutboundMessage>;

export interface OutboundMessage {
  headers: [name: string, value: string][];
  /** Absent if there was no body. */
  body?: {
    encoding: 'utf-8' | 'base64';
    content: string;
    /** Set if only the beginning was recorded, which may be empty. */
    cut?: true;
  };
}

/** A promise that a script passed to `waitUntil`. */
export interface BackgroundSpan {
  time: number;
  /** Absent while the promise is pending. */
  durationMs?: number;
  /** The reason for the rejection. */
  error?: string;
}

/** The names of the configuration properties that are not set. The environment of a call contains their default values. */
export interface DefaultedProperties {
  installation?: string[];
  siteInstallation?: string[];
  spaceInstallation?: string[];
}

/** The reason why the platform made a call. */
export interface CallCause {
  /**
   * `render`: the action was triggered from markup that the other call rendered. `display`: the console rendered a block because
   * the user opened the block's page. `setup`: the installation changed.
   */
  type: 'replay' | 'task' | 'render' | 'display' | 'setup';
  /** The earlier call. Absent if no call queued the task, or made the change through the API. */
  call?: string;
  task?: string;
  /** For `setup`, what changed the installation. */
  change?: SetupChange;
}

/**
 * `activated`: the configuration was already complete when the integration was installed. `manifest`: the manifest requires
 * other properties than before.
 */
export type SetupChange = 'installed' | 'activated' | 'configured' | 'manifest' | 'uninstalled';

export interface CallEffect {
  type: 'replay' | 'task' | 'render' | 'setup' | 'delivery';
  time: number;
  /** The id of the task or the webhook delivery. */
  id?: string;
  /** The later call. Absent for a task that has not been run yet. */
  call?: string;
  title?: string;
  /** When the task is due. */
  dueAt?: number;
}

/** The memory that the script's process used when a call responded. */
export interface CallMemory {
  bytes: number;
  /** How much more this is than after the first call of the process. */
  grown?: number;
}
