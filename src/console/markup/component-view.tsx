import type { JSX, Ref } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { resolveState } from '../../protocol/markup/resolve-state.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Dialog } from '../ui/dialog.js';
import { formatTime } from '../text/format.js';
import { Failure } from '../text/code/failure.js';
import { Icon } from '../ui/icon.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import {
  createComponentSession,
  type ComponentView as View,
  type ComponentSession,
  type OpenModal,
  type Render,
  type RenderError,
} from './component-session.js';
import { MarkupWarnings } from './markup-warnings.js';
import { renderMarkup } from './render-markup.js';
import { MarkupProvider, type Option } from './basics/markup-context.js';
import { isRecord, readOneOf, readText, readWords, type Values } from './basics/read-markup.js';

/** What a component needs from the page that contains it. */
export interface ComponentHost {
  render: Render;
  openUrl: (url: string) => void;
  options: (url: string, typed: string) => Promise<Option[]>;
  base: string;
  now: () => number;
  showCall?: ((call: string) => void) | undefined;
  /** Whether readers see the component too, so that only its author may see what is wrong with it. */
  hasReaders?: boolean;
}

/** A live component with its markup, inputs, modals and errors. */
export function ComponentView({
  session,
  host,
}: {
  session: ComponentSession;
  host: ComponentHost;
}): JSX.Element {
  const view = useCell(session.view);
  const { phase, busy, element, state, warnings, error, modal, lastCall } = view;
  // The markup from the server is for everyone. Only an author's browser makes it live.
  const [isAuthor, setAuthor] = useState(!host.hasReaders);
  useEffect(() => setAuthor(true), []);
  return (
    <div class="component" aria-busy={busy} ref={useKeptFocus()}>
      {!host.hasReaders && phase === 'ready' && <MarkupWarnings warnings={warnings} />}
      {phase === 'loading' && !error && <ComponentLoading />}
      {phase === 'complete' && (
        <div class="bar dashed component-done">
          <Icon name="check" /> The component is complete.
        </div>
      )}
      {element !== undefined && phase !== 'complete' && (
        <MarkupProvider
          value={{
            state,
            base: host.base,
            set: session.set,
            send: session.send,
            options: host.options,
            draw: renderMarkup,
          }}
        >
          {renderMarkup(element)}
        </MarkupProvider>
      )}
      {error && <ErrorView error={error} session={session} host={host} />}
      {host.hasReaders && <ActionStatus view={view} />}
      {host.hasReaders && isAuthor && phase === 'ready' && warnings.length > 0 && (
        <div class="dashed component-notes">
          <p class="bar small">
            <OnlyAuthors />
            {lastCall !== undefined && (
              <button type="button" class="text-button" onClick={() => host.showCall?.(lastCall)}>
                Open call
              </button>
            )}
          </p>
          <MarkupWarnings warnings={warnings} />
        </div>
      )}
      {modal && <ModalView key={modal.number} modal={modal} opener={session} host={host} />}
    </div>
  );
}

/** If a response removes the control with the focus, the component receives the focus, so that the keyboard stays there. */
function useKeptFocus(): Ref<HTMLDivElement> {
  const component = useRef<HTMLDivElement>(null);
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const { current: node } = component;
    if (node && focused.current?.isConnected === false && document.activeElement === document.body) {
      node.tabIndex = -1;
      node.focus({ preventScroll: true });
    }
    focused.current = node?.contains(document.activeElement) ? document.activeElement : null;
  });
  return component;
}

/** Tells readers that the script is working, and that it has responded. The site keeps room for it. */
function ActionStatus({ view: { phase, busy, error, history } }: { view: View }): JSX.Element {
  const [last] = history;
  const text = phase === 'loading' ? '' : busy ? 'Working…' : last && !error ? 'Updated' : '';
  return (
    <p class="component-status" role="status">
      {text !== '' && (
        <span key={`${last?.number}${text}`} class={busy ? 'working' : ''}>
          {text}
        </span>
      )}
    </p>
  );
}

const OnlyAuthors = (): JSX.Element => (
  <span class="bar quiet only-authors">
    <Icon name="eye" size={14} /> Readers don’t see this
  </span>
);

/** Keeps a place for the component. The site sets its height to that of the last render. */
export const ComponentLoading = (): JSX.Element => (
  <div class="component-loading">
    <LoadingState />
  </div>
);

interface ErrorViewProps {
  error: RenderError;
  session: ComponentSession;
  host: ComponentHost;
}

function ErrorView({ error, session, host: { showCall, hasReaders } }: ErrorViewProps): JSX.Element {
  const { message, action, call, failure } = error;
  const notice = useRef<HTMLDivElement>(null);
  // Scrolls to the error, because the clicked button can be far below. Errors without an action must not scroll a page that
  // is just opening.
  useLayoutEffect(() => {
    if (action) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [action]);
  return (
    <div class="notice bad component-error" role="alert" ref={notice}>
      {!failure && <Icon name="error" />}
      <div class="grow">
        {action && (
          <p class="small">
            <code>{action.name}</code> failed at <span class="number">{formatTime(action.time)}</span>
          </p>
        )}
        {failure ? <Failure failure={failure} /> : <p class="wrap-anywhere">{message}</p>}
        <p class="row small component-again">
          {call !== undefined && showCall && (
            <>
              <button type="button" class="button small" onClick={() => void runAgain(session)}>
                <Icon name="replay" />
                Run again
              </button>
              <button type="button" class="button small" onClick={() => showCall(call)}>
                <Icon name="calls" />
                Open call
              </button>
            </>
          )}
          {hasReaders && <OnlyAuthors />}
        </p>
      </div>
    </div>
  );
}

/** Sends the failed action again, or renders the component if no action has failed. */
function runAgain({ view, send, redraw }: ComponentSession): Promise<void> {
  const { error, history } = view.get();
  const last = error?.action && history[0];
  return last ? send(last.action) : redraw();
}

function ModalView({
  modal,
  opener,
  host,
}: {
  modal: OpenModal;
  opener: ComponentSession;
  host: ComponentHost;
}): JSX.Element {
  const closed = (values: Values): void => void opener.closeModal({ action: '@ui.modal.close', ...values });
  const session = useMemo(
    () =>
      createComponentSession({
        component: modal.component,
        props: modal.props,
        first: modal.first,
        modal: true,
        render: host.render,
        openUrl: host.openUrl,
        now: host.now,
        onComplete: (returnValue) => closed(returnValue === undefined ? {} : { returnValue }),
        onCloseModal: (action) => void opener.closeModal(action),
      }),
    [modal],
  );
  const { element, state } = useCell(session.view);
  const root = isRecord(element) && element.type === 'modal' ? element : {};
  const subtitle = readWords(root.subtitle);
  return (
    <Dialog
      title={readText(root.title) ?? modal.component}
      subtitle={subtitle}
      size={readOneOf(root.size, ['medium', 'xlarge', 'fullscreen']) ?? 'medium'}
      onClose={() =>
        closed(root.returnValue === undefined ? {} : { returnValue: resolveState(root.returnValue, state) })
      }
    >
      <ComponentView session={session} host={host} />
    </Dialog>
  );
}
