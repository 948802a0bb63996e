/** Events whose handler is an option of `createIntegration()`. An entry in `events` for one of them never runs. */
export const eventsWithOption = [
  'fetch',
  'fetch_published_script',
  'fetch_visitor_authentication',
  'task',
] as const;
