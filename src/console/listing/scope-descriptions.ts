import type { Scope } from '../../protocol/scopes.js';

/** What a scope lets an integration do, for those who install it. */
export const scopeWords: Record<Scope, string> = {
  'space:content:read': 'Read the content of your spaces',
  'space:content:write': 'Change the content of your spaces',
  'space:metadata:read': 'See titles and settings of your spaces',
  'space:metadata:write': 'Change titles and settings of your spaces',
  'space:git:sync': 'Start and follow Git sync',
  'site:metadata:read': 'See titles and settings of your sites',
  'site:views:read': 'See visits to your sites',
  'site:script:inject': 'Run scripts on your sites',
  'site:script:cookies': 'Use cookies on your sites',
  'site:visitor:auth': 'Sign visitors in',
  'site:visitor:claims': 'Read what is known of signed-in visitors',
  'site:adaptive:read': 'Read adaptive content',
  'site:adaptive:write': 'Change adaptive content',
  'openapi:read': 'Read your OpenAPI specifications',
  'openapi:write': 'Change your OpenAPI specifications',
  'conversations:ingest': 'Bring in conversations',
};
