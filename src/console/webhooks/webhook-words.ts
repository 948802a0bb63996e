import type { DeliveryResource, EndpointResource } from '../../contract/routes/webhooks.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { Tone } from '../ui/tone.js';

const states: Record<DeliveryResource['state'], { tone: Tone; text: string }> = {
  pending: { tone: 'info', text: 'Pending' },
  retrying: { tone: 'warn', text: 'Retrying' },
  held: { tone: 'calm', text: 'Held' },
  delivered: { tone: 'ok', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Failed' },
  exhausted: { tone: 'bad', text: 'Exhausted' },
  poisoned: { tone: 'bad', text: 'Poisoned' },
};

export const deliveryWords = ({ state }: DeliveryResource): { tone: Tone; text: string } => states[state];

/** Returns how often to update the countdown to the next attempt, or undefined if there is no next attempt. */
export const secondsTo = ({ state }: DeliveryResource): number | undefined =>
  state === 'retrying' ? 250 : undefined;

/** Splits a URL so that its path can be shown first, because endpoints often differ only in their paths. */
export function addressWords(url: string): { name: string; host: string } {
  if (!URL.canParse(url)) return { name: url, host: '' };
  const { host, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? { name: host, host: '' } : { name: pathname + search, host };
}

export function targetTitle({ sites, spaces }: PlatformResource, { target }: EndpointResource): string {
  const targets = target.type === 'site' ? sites : spaces;
  return targets.find(({ id }) => id === target.id)?.title ?? target.id;
}
