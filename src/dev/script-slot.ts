import { createHash } from 'node:crypto';
import type { Bundle } from '../bundle/index.js';
import type { Sandbox, ScriptHost } from '../sandbox/index.js';

/** Where the author's script runs, while there is one. */
export interface ScriptSlot extends ScriptHost {
  /** Answers the name of the build, or that another one came before this was in place. */
  put(bundle: Bundle): Promise<{ build: string } | 'superseded'>;
  /** Until the next `put`, answers with why there is no script. */
  explain(reason: string): void;
}

export function createScriptSlot(sandbox: Sandbox): ScriptSlot {
  let missing: string | undefined = 'The script is being built.';
  const refuse = async (): Promise<Response> => Response.json({ error: missing }, { status: 503 });
  return {
    call: (call) => (missing === undefined ? sandbox.call(call) : refuse()),
    raw: (id, request) => (missing === undefined ? sandbox.raw(id, request) : refuse()),
    async put({ code, map }) {
      if ((await sandbox.load({ code, map })) === 'superseded') return 'superseded';
      missing = undefined;
      return { build: createHash('sha256').update(code).digest('hex').slice(0, 16) };
    },
    explain: (reason) => (missing = reason),
  };
}
