import type { RenderContext } from '../../protocol/events.js';
import type { Markup } from '../../runtime/jsx/markup-node.js';

// The published types. They do not refer to the emulator, because its types need the schema builder.

/**
 * A component as a user sees it. Its properties are updated after every press.
 *
 * @example
 * ```ts
 * const form = await platform.render('form', { props: { name: 'Ada' } });
 * await form.fill('name', 'Grace');
 * await form.press('Rename');
 * await form.modal?.press('OK');
 * expect(form.text()).toContain('Grace');
 * ```
 */
export interface RenderedComponent {
  /** Null if the component renders nothing. */
  readonly element: Markup | null;
  /** The component's current state, including what has been entered in its inputs. */
  readonly state: Record<string, unknown>;
  /** The component's current props. */
  readonly props: Record<string, unknown>;
  /** The open modal, if there is one. */
  readonly modal: RenderedComponent | undefined;
  /** The URL that the last press opened in a new tab. */
  readonly openedUrl: string | undefined;
  /** The value that the component returned when it was done. */
  readonly returnValue: unknown;
  /** False once the component is done or the modal is closed. */
  readonly open: boolean;
  /**
   * All text in the component, with one line for each piece. Text that is bound to the state has its current value. The entries
   * of menus and selects are not included.
   */
  text(): string;
  /** Presses the button with this label, title, tooltip or icon. */
  press(label: string): Promise<void>;
  /** Enters a value in the input bound to this state key, if a user could do so. */
  fill(state: string, value: unknown): Promise<void>;
  /** Closes a modal without an action. The component that opened it is not notified. */
  dismiss(): void;
  /** Sends an action that nothing on the screen can send, such as `@link.unfurl`. */
  act(action: { action: string; [field: string]: unknown }): Promise<void>;
}

export interface RenderInput {
  component: string;
  installation: string;
  site?: string;
  space?: string;
  props?: Record<string, unknown>;
  context?: Partial<RenderContext>;
}
