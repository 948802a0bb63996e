/** The views of the console, by the first part of their path. */
export const consoleViews = [
  'overview',
  'configuration',
  'pages',
  'blocks',
  'calls',
  'webhooks',
  'tasks',
  'listing',
] as const;

export type View = (typeof consoleViews)[number];
