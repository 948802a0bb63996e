import type { ConfigurationProperty } from '../../protocol/integration.js';
import type { Installed } from '../live/where-installed.js';

/** Returns the URL that a button property opens, which usually starts OAuth. */
export const connectAddress = (
  { endpoint }: Installed,
  { callback_url: path }: Extract<ConfigurationProperty, { type: 'button' }>,
): string => endpoint + path.replace(/^[/]?/, '/');

export function openConnection(address: string): void {
  // Opens the window without an opener, so that the new page cannot access this one or inherit the key.
  window.open(address, '_blank', 'noopener,popup,width=520,height=680');
}
