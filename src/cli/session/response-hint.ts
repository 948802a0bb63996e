import { nearest } from '../../base/did-you-mean.js';

/** Suggests what to do about an error response. `given` should have been one of `known`. */
export function hintFor({ code, given, known, hint }: Record<string, unknown>): string | undefined {
  if (typeof hint === 'string') return hint;
  if (typeof given !== 'string' || !Array.isArray(known) || known.length === 0)
    return typeof code === 'string' ? hints[code] : undefined;
  const names = known.map(String);
  const close = nearest(given, names);
  return close ? `Did you mean ${close}?` : `Choose one of ${names.join(', ')}.`;
}

const hints: Record<string, string> = {
  not_installed: 'Install it with: platform install',
  already_installed: 'Uninstall it first: platform uninstall',
  paused: 'Resume it with: platform resume',
  link_needed: 'Print the link with: platform install --link',
  private: 'Set visibility to unlisted or public in the manifest.',
  missing_scope: 'Add the scope to the manifest, or start platform dev with --scopes warn.',
  no_properties: 'Declare one with: platform add configuration <name>',
  unknown_state: 'Save one with: platform state save <name>',
  unknown_call: 'List the calls with: platform logs',
  not_replayable: 'List the calls with: platform logs',
  body_gone: 'Send the request again.',
  unknown_endpoint: 'List the endpoints with: platform webhook list',
  unknown_delivery: 'List the deliveries with: platform webhook deliveries',
  endpoint_disabled: 'Enable it with: platform webhook enable <endpoint>',
};
