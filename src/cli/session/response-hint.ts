import { nearest } from '../../base/did-you-mean.js';

/** Suggests a fix for an error response. `given` should have been one of the `known` values. */
export function hintFor(details: Record<string, unknown>): string | undefined {
  const { code, given, known, hint } = details;
  if (typeof hint === 'string') return hint;
  if (typeof given !== 'string' || !Array.isArray(known) || known.length === 0)
    return typeof code === 'string' ? filled(hints[code], details) : undefined;
  const names = known.map(String);
  const close = nearest(given, names);
  return close ? `Did you mean ${close}?` : `Choose one of ${names.join(', ')}.`;
}

/** Replaces `<call>` with the id in the response, so that the command can be copied. */
const filled = (text: string | undefined, details: Record<string, unknown>): string | undefined =>
  text?.replace(/<(\w+)>/, (placeholder, name: string) =>
    typeof details[name] === 'string' ? details[name] : placeholder,
  );

const hints: Record<string, string> = {
  'not-installed': 'Install it with: platform install',
  'already-installed': 'Uninstall it first: platform uninstall',
  paused: 'Resume it with: platform resume',
  'link-needed': 'Print the link with: platform install --link',
  private: 'Set visibility to unlisted or public in the manifest.',
  'missing-scope': 'Add the scope to the manifest, or start platform dev with --scopes warn.',
  'no-properties': 'Declare one with: platform add configuration <name>',
  'unknown-state': 'Save one with: platform state save <name>',
  'unknown-call': 'List the calls with: platform logs',
  'not-running': 'See its result with: platform inspect <call>',
  'not-replayable': 'List the calls with: platform logs',
  'body-gone': 'Send the request again.',
  'unknown-task': 'List the tasks with: platform tasks list',
  'task-running': 'Find its call with: platform logs --type task',
  'unknown-endpoint': 'List the endpoints with: platform webhook list',
  'unknown-delivery': 'List the deliveries with: platform webhook deliveries',
  'endpoint-disabled': 'Enable it with: platform webhook enable <endpoint>',
};
