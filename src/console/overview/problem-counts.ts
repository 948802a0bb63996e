import type { PlatformResource } from '../../contract/routes/overview.js';
import type { FilterTexts } from '../api/call-filter.js';

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`];

/** Returns the counts as text, such as "6 errors and 1 warning", or an empty string if both are 0. */
export const problemWords = (errors: number, warnings: number): string =>
  [...counted(errors, 'error'), ...counted(warnings, 'warning')].join(' and ');

/** Says what the counts cover. After a broken build, the previous version still handles calls. */
export const sinceWhen = ({ lastBuild, version }: PlatformResource): string =>
  lastBuild?.ok === false ? `in version ${version}` : 'since the last save';

export const failedDeliveryWords = (count: number): string =>
  count === 1 ? '1 failed delivery' : `${count.toLocaleString('en')} failed deliveries`;

/** Returns the URL of the list of counted calls. */
export const problemFilter = (errors: number, warnings: number, scope: FilterTexts): FilterTexts => ({
  ...(errors > 0 && { failed: 'true' }),
  ...(warnings > 0 && { warnings: 'true' }),
  ...scope,
});
