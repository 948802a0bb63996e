/**
 * Names of icons for buttons, cards and controls. Any other name is passed on as it is.
 *
 * @example
 * ```tsx
 * import { ContentKitIcon } from 'integration-platform';
 *
 * const open = <button icon={ContentKitIcon.Maximize} onPress={{ action: 'open' }} />;
 * ```
 */
export const ContentKitIcon = {
  Check: 'check',
  CheckCircle: 'check-circle',
  Close: 'close',
  Delete: 'delete',
  Edit: 'edit',
  Email: 'email',
  Eye: 'eye',
  EyeOff: 'eye-off',
  Github: 'github',
  Gitlab: 'gitlab',
  Link: 'link',
  LinkExternal: 'link-external',
  Lock: 'lock',
  Mailchimp: 'mailchimp',
  Maximize: 'maximize',
  Search: 'search',
  Settings: 'settings',
  Star: 'star',
  Trash: 'trash',
  Warning: 'warning',
} as const;

export type ContentKitIcon = (typeof ContentKitIcon)[keyof typeof ContentKitIcon];

/**
 * How a Git synchronisation goes. It has ended in `space_gitsync_completed`, as `state` tells.
 *
 * @example
 * ```ts
 * import { GitSyncOperationState, type EventCallback } from 'integration-platform';
 *
 * const onSynced: EventCallback<'space_gitsync_completed'> = (event) => {
 *   if (event.state === GitSyncOperationState.Failure) console.error(event.commitId);
 * };
 * ```
 */
export const GitSyncOperationState = {
  Running: 'running',
  Failure: 'failure',
  Success: 'success',
  Timeout: 'timeout',
} as const;

export type GitSyncOperationState = (typeof GitSyncOperationState)[keyof typeof GitSyncOperationState];
