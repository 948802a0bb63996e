import type { AnyValues } from '../environment/runtime-environment.js';

/** Actions that the platform either handles itself or sends to a component. */
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
 * The actions that a component's `action` function receives: its own actions and those of the platform. A component that
 * declares no actions accepts any action. To narrow one of the platform's actions, such as the `returnValue` of
 * `@ui.modal.close`, declare it again. Your type takes precedence.
 */
export type ComponentAction<Action = void> = [Action] extends [void]
  ? { action: string } & AnyValues
  : Exclude<HostAction, { action: DeclaredName<Action> }> | Action;

type DeclaredName<Action> = Action extends { action: infer Name }
  ? string extends Name
    ? never
    : Name
  : never;
