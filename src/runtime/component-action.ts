import type { AnyValues } from './runtime-environment.js';

/** Actions that the host itself sends to a component, or carries out. */
export type HostAction =
  | { action: '@ui.url.open'; url: string }
  | { action: '@ui.modal.open'; componentId: string; props: AnyValues }
  | { action: '@ui.modal.close'; returnValue: AnyValues }
  | { action: '@editor.node.updateProps'; props: AnyValues }
  | { action: '@link.unfurl'; url: string }
  | { action: '@webframe.ready' }
  | {
      action: '@webframe.resize';
      size?: { aspectRatio?: number; maxHeight?: number; maxWidth?: number };
      aspectRatio?: number;
      maxHeight?: number;
      maxWidth?: number;
    };

/** What a component's `action` is given: its own actions and the host's. Any, where none is declared. */
export type ComponentAction<Action = void> = [Action] extends [void]
  ? { action: string } & AnyValues
  : HostAction | Action;
