/**
 * Icon names for buttons, cards and controls. Other names also work if the platform knows them.
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
 * States of a Git sync, as in `state` of the `space_gitsync_completed` event.
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
