interface Cause {
  type: 'replay' | 'task' | 'render' | 'display' | 'setup';
  call?: string | undefined;
  task?: string | undefined;
  change?: keyof typeof setupChanges | undefined;
}

const setupChanges = {
  installed: 'the integration was installed',
  activated: 'the configuration was already complete',
  configured: 'the configuration was changed',
  manifest: 'the required properties in the manifest changed',
  uninstalled: 'the integration was uninstalled',
};

const causes = { replay: 'replay of', task: 'task queued by', render: 'action rendered by' };

/** Describes the cause of a call. If the cause has a `call`, the caller appends its id. */
export function describeCause({ type, call, task, change = 'configured' }: Cause): string {
  if (type === 'display') return 'the console, to show the block';
  if (type === 'setup') return `${setupChanges[change]}${call === undefined ? '' : ' by'}`;
  if (call !== undefined) return causes[type];
  return task === undefined
    ? `${causes[type]} no recorded call`
    : `task ${task}, not queued by a recorded call`;
}
