import type { Check } from './check.js';
import { behaviour } from './behaviour.js';
import { breakingChanges } from './breaking-changes.js';
import { categories } from './categories.js';
import { components } from './components.js';
import { declaredSecrets } from './declared-secrets.js';
import { defaultExport } from './default-export.js';
import { description } from './description.js';
import { endpoints } from './endpoints.js';
import { eventScopes } from './event-scopes.js';
import { externalLinks } from './external-links.js';
import { icon } from './icon.js';
import { internalScopes } from './internal-scopes.js';
import { leakedSecrets } from './leaked-secrets.js';
import { localAddresses } from './local-addresses.js';
import { markup } from './markup.js';
import { name } from './name.js';
import { organization } from './organization.js';
import { outsideSources } from './outside-sources.js';
import { placeholderUrls } from './placeholder-urls.js';
import { previews } from './previews.js';
import { productionRuntime } from './production-runtime.js';
import { rehearsal } from './rehearsal.js';
import { rendering } from './rendering.js';
import { script } from './script.js';
import { settings } from './settings.js';
import { scriptStarts } from './script-starts.js';
import { summary } from './summary.js';
import { uniqueName } from './unique-name.js';
import { unusedScopes } from './unused-scopes.js';
import { visibility } from './visibility.js';
import { webApis } from './web-apis.js';

/** The rules of this platform's marketplace. Projects for other platforms are published under different rules. */
export const listingRules: ReadonlySet<Check> = new Set([
  name,
  organization,
  visibility,
  description,
  summary,
  categories,
  externalLinks,
  icon,
  previews,
  internalScopes,
  uniqueName,
]);

/** In checklist order. */
export const checks: readonly Check[] = [
  name,
  organization,
  visibility,
  description,
  summary,
  categories,
  externalLinks,
  icon,
  previews,
  internalScopes,
  script,
  webApis,
  outsideSources,
  localAddresses,
  placeholderUrls,
  scriptStarts,
  defaultExport,
  components,
  rendering,
  markup,
  productionRuntime,
  settings,
  endpoints,
  eventScopes,
  unusedScopes,
  declaredSecrets,
  leakedSecrets,
  breakingChanges,
  rehearsal,
  uniqueName,
  behaviour,
];
