import { nearest } from '../../../base/did-you-mean.js';
import { UserError } from '../../../base/user-error.js';

export const consoleViews = [
  'overview',
  'configuration',
  'pages',
  'blocks',
  'calls',
  'webhooks',
  'listing',
] as const;

/** Returns the path in the console for a view such as `calls`, or for an item in a view such as `calls/call_1`. */
export function viewPath(view: string): string {
  const parts = view.split('/').filter(Boolean);
  const known: readonly string[] = [...consoleViews, 'installations'];
  const [first = ''] = parts;
  if (!known.includes(first)) {
    const close = nearest(first, [...consoleViews]);
    throw new UserError(
      'unknown-view',
      `The console has no view "${first}".`,
      close ? `Did you mean ${close}?` : `The views are ${consoleViews.join(', ')}.`,
    );
  }
  return first === 'overview' ? '' : parts.map(encodeURIComponent).join('/');
}
