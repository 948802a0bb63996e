import { nearest } from '../../base/did-you-mean.js';

/** What to do about a refusal of the platform, as far as one can tell: `given` was meant to be one of `known`. */
export function hintFor({ code, given, known, hint }: Record<string, unknown>): string | undefined {
  if (typeof hint === 'string') return hint;
  if (typeof given !== 'string' || !Array.isArray(known) || known.length === 0)
    return typeof code === 'string' ? hints[code] : undefined;
  const names = known.map(String);
  const close = nearest(given, names);
  return close ? `Did you mean ${close}?` : `There is: ${names.join(', ')}.`;
}

const hints: Record<string, string> = {
  not_installed: 'Install it with: platform install',
  already_installed: 'Take it out first: platform uninstall',
  paused: 'End the pause with: platform resume',
  link_needed: 'Print the link with: platform install --link',
  private: 'Set visibility to unlisted or public in the manifest.',
  missing_scope: 'Add the scope to the manifest, or start platform dev with --scopes warn.',
  no_properties: 'Declare one with: platform add configuration <name>',
  unknown_state: 'Save one with: platform state save <name>',
  unknown_call: 'platform logs lists what there is.',
  not_replayable: 'platform logs lists what there is.',
  body_gone: 'Send the request again.',
  unknown_endpoint: 'platform webhook list shows what there is.',
  unknown_delivery: 'platform webhook deliveries shows what there is.',
  endpoint_disabled: 'Enable it with: platform webhook enable <endpoint>',
};
