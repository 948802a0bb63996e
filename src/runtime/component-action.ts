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

/**
 * What a component's `action` is given: its own actions and the host's. Any, where none is declared. A host's
 * action that the author declares too has the author's type, such as the `returnValue` of a modal that closes.
 */
export type ComponentAction<Action = void> = [Action] extends [void]
  ? { action: string } & AnyValues
  : Exclude<HostAction, { action: DeclaredName<Action> }> | Action;

type DeclaredName<Action> = Action extends { action: infer Name }
  ? string extends Name
    ? never
    : Name
  : never;
