import { UserError } from '../../../base/user-error.js';
import {
  addressOf,
  draftOfCall,
  setInDraft,
  type CallDraft,
  type RequestDraft,
} from '../../../protocol/compose/call-draft.js';
import { hiddenSecret } from '../../../protocol/mask-secrets.js';
import type { SessionClient } from '../../session/connect.js';
import { readAssignments, readFields } from '../../session/read-arguments.js';

export async function readDraft(
  client: SessionClient,
  id: string,
  assignments: readonly string[],
): Promise<CallDraft> {
  const call = await client.call('GET /calls/{call}', { call: id });
  const body =
    call.requestBytes > 0 ? await client.call('GET /calls/{call}/request-body', { call: id }) : undefined;
  const draft = draftOfCall(call, body);
  if (!draft) {
    throw new UserError(
      'not-replayable',
      `${id} has no event that can be sent again.`,
      'List the calls with: platform logs',
    );
  }
  const fields =
    draft.kind === 'event' ? await readFields(draft.type, assignments) : readAssignments(assignments);
  for (const [path, value] of Object.entries(fields)) {
    const problem = setInDraft(draft, path, value);
    if (problem) throw new UserError('bad-assignment', problem.message, problem.help);
  }
  return draft;
}

export const requestOf = (draft: RequestDraft) => ({
  ...draft.target,
  method: draft.method,
  path: addressOf(draft),
  headers: draft.headers,
  body: draft.body,
});

/** Whether the recorded call contains masked secrets. They would be sent masked. */
export const hidesSecrets = (draft: CallDraft): boolean => JSON.stringify(draft).includes(hiddenSecret);
