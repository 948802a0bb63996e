import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import type { PageLine, PageResource } from '../../contract/routes/content.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { blocksOnPage, type PageBlockOf } from '../../protocol/page/page-blocks.js';
import { api, codeOf } from '../api/fetch-api.js';
import { DocumentBlock } from '../blocks/document-block.js';
import { readLink } from '../../protocol/match-link.js';
import { installedIn } from '../live/where-installed.js';
import type { Values } from '../markup/basics/read-markup.js';
import { Keys } from '../shell/keys.js';
import { useShortcut } from '../shell/shortcuts.js';
import { SourceLink } from '../text/source-link.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { Tabs } from '../ui/tabs.js';
import { showToast } from '../ui/toasts.js';
import { HistoryPanel } from './history-panel.js';
import { PageBlocks, useAnyFailed } from './page-blocks.js';
import { pageLook } from './page-nodes.js';
import { PageSource, type PageDraft } from './page-source.js';
import { PageText, type OpenMenu } from './page-text.js';
import { PropertiesPanel } from './properties-panel.js';
import { unfurl, usePageSessions } from './use-page-sessions.js';
import { go, GoLink } from '../shell/navigation.js';
import { useAct } from '../ui/run-and-report.js';
import { DeletePageDialog, RenamePageDialog } from './page-dialogs.js';

const tabs = [
  { id: 'blocks', label: 'Blocks' },
  { id: 'history', label: 'History' },
] as const;

/** Text that was not saved yet, keyed by the page's id. It is still there when the user comes back to the page. */
const drafts = new Map<string, PageDraft>();

interface PageEditorProps {
  platform: PlatformResource;
  read: PageResource;
  reload: () => void;
  /** Why the page could not be reloaded. */
  error: string | undefined;
  pages: readonly PageLine[];
  /** Called when a block on the page fails, and again when no block fails any longer. */
  onFailed: (failed: boolean) => void;
}

/** A page with its text, live blocks and the panel for the selected block. */
export function PageEditor(props: PageEditorProps): JSX.Element {
  const { platform, read, reload, error, pages, onFailed } = props;
  const { integration } = platform;
  const edits = usePageEdits(read, reload);
  const { page, run } = edits;
  const [menu, setMenu] = useState<OpenMenu>();
  const [at, setAt] = useState(page.ends.length);
  const [selected, setSelected] = useState<number>();
  const [tab, setTab] = useState<(typeof tabs)[number]['id']>('blocks');
  /** On a narrow screen, the details are closed until the user opens them. */
  const [open, setOpen] = useState(false);
  const [draft, showDraft] = useState(drafts.get(read.id));
  const [isSource, setSource] = useState(draft !== undefined);
  const setDraft = (next: PageDraft | undefined): void => {
    if (next) drafts.set(read.id, next);
    else drafts.delete(read.id);
    showDraft(next);
  };
  const main = useRef<HTMLDivElement>(null);
  const focusBlock = useRef<number | undefined>(undefined);

  const blocks = useMemo(() => blocksOnPage(page, [integration]), [page, integration]);
  const titleOf = (component: string): string =>
    integration.blocks.find(({ id }) => id === component)?.title ?? component;
  const where = whereToRender(platform, page.space);
  const saveProps =
    (nth: number, block: string, props: Values): PageEdit =>
    async (on) => {
      const of = blocksOnPage(on, [integration])[nth];
      if (of?.file !== undefined) throw new Error(inOtherFile(of.file));
      if (of?.node.start === undefined || of.component !== block)
        throw new Error('The block was moved on the page or removed from it.');
      return api('PATCH /content/block', {
        space: on.space,
        page: on.id,
        hash: on.hash,
        start: of.node.start,
        props,
      });
    };
  const sessions = usePageSessions({
    blocks,
    target: where?.target,
    endpoint: where?.endpoint ?? platform.urls.publicEndpoint,
    onProps: (of, props) => void run(saveProps(blocks.indexOf(of), of.component, props)),
  });

  const failed = useAnyFailed(sessions);
  useEffect(() => onFailed(failed), [failed]);
  useEffect(() => () => onFailed(false), []);

  useEffect(() => {
    if (focusBlock.current === undefined) return;
    main.current?.querySelector<HTMLElement>(`#block-${focusBlock.current} .block-name`)?.focus();
    focusBlock.current = undefined;
  });

  const insert = async (
    position: number,
    what: { component: string; props?: Values } | { embed: string } | { link: string },
  ): Promise<void> => {
    setMenu(undefined);
    let start = -1;
    const written = await run(async (on) => {
      const { space, id, hash, ends } = on;
      const offset = [on.start, ...ends][Math.min(position, ends.length)] ?? on.start;
      const inserted = await api('POST /content/block', { space, page: id, hash, at: offset, ...what });
      start = inserted.start;
      return inserted.page;
    });
    if (!written) return;
    setAt(position + 1);
    const nth = blocksOnPage(written, [integration]).findIndex(
      ({ node, file }) => node.start === start && file === undefined,
    );
    if (nth < 0) return;
    setSelected(nth);
    focusBlock.current = nth;
  };
  const insertUnfurled = async (position: number, component: string, link: string): Promise<void> => {
    if (!where) return;
    setMenu(undefined);
    try {
      await insert(position, { component, props: await unfurl(component, link, where) });
    } catch (error) {
      showToast(errorMessage(error), 'bad');
    }
  };

  const saveText = async (text: string, { space, id, hash }: PageResource): Promise<void> => {
    try {
      const written = await api('PUT /content/page', { space, page: id, hash, text });
      await run(async () => written);
      setDraft(undefined);
    } catch (error) {
      if (codeOf(error) === 'page-changed') reload();
      else showToast(errorMessage(error), 'bad');
    }
  };

  const openMenu = (typed = ''): void => setMenu({ at: Math.min(at, page.ends.length), typed });
  useShortcut('mod+/', () => openMenu());
  usePastedLink(openMenu);

  const draw = (nth: number): JSX.Element | undefined => {
    const [of, held] = [blocks[nth], sessions[nth]];
    if (!of) return undefined;
    if (!held)
      return (
        <p class="dashed page-other">
          <code>{titleOf(of.component)}</code> block, not shown until the integration is installed here
        </p>
      );
    return (
      <DocumentBlock
        id={String(nth)}
        title={titleOf(of.component)}
        held={held}
        selected={nth === selected}
        onSelect={() => setSelected(nth)}
        onOpen={() => {
          setTab('blocks');
          setOpen(true);
        }}
        onRemove={() => {
          setSelected(undefined);
          void run((on) => removeBlock(on, blocksOnPage(on, [integration])[nth]));
        }}
      />
    );
  };
  const look = pageLook({
    page,
    pages,
    integration: integration.name,
    block: (node) => draw(blocks.findIndex((of) => of.node === node)),
  });
  const current = selected === undefined ? undefined : blocks[selected];
  const currentBlock = integration.blocks.find(({ id }) => id === current?.component);

  return (
    <>
      <div class="column min-0" ref={main}>
        <PageHead page={page} isSource={isSource} onSource={() => setSource(!isSource)} />
        {edits.rejected && <Rejected onRepeat={edits.repeat} onDiscard={edits.discard} />}
        {error !== undefined && (
          <p class="notice bad page-notice" role="alert">
            <Icon name="error" />
            <span class="grow">The page couldn't be reloaded. {error}</span>
            <Button size="small" onPress={reload}>
              Try again
            </Button>
          </p>
        )}
        {!isSource &&
          page.problems.map(({ message, help, line, column }) => (
            <p key={`${line} ${column} ${message}`} class="notice warn page-notice">
              <Icon name="warning" />
              <span class="grow">
                {message} {help}{' '}
                <SourceLink file={page.source ?? page.file ?? page.title} line={line} column={column} />
              </span>
            </p>
          ))}
        {isSource ? (
          <PageSource {...{ page, draft, setDraft }} onSave={saveText} />
        ) : (
          <div class="stage">
            <article class="paper page-paper">
              <h2 class="page-title">{page.title}</h2>
              {page.description && <p class="page-lead">{page.description}</p>}
              <PageText
                {...{ page, look, menu, at, setAt, setMenu }}
                known={integration.blocks}
                onInsert={(position, block, link) =>
                  void (link === undefined
                    ? insert(position, { component: block.id })
                    : insertUnfurled(position, block.id, link))
                }
                onLink={(position, kind, link) =>
                  void insert(position, kind === 'embed' ? { embed: link } : { link })
                }
              />
              {!menu && (
                <button
                  type="button"
                  class="bar insert-button page-insert"
                  onClick={() => setMenu({ at: page.ends.length, typed: '' })}
                >
                  <Icon name="plus" /> Insert a block, or paste a link <Keys keys="mod+/" />
                </button>
              )}
            </article>
          </div>
        )}
      </div>
      <aside class={open ? 'page-side open' : 'page-side'} aria-label="Details">
        <Tabs
          label="Details"
          tabs={tabs.map((one) => ({ ...one, failed: one.id === 'blocks' && failed }))}
          active={tab}
          onSelect={(next) => {
            setTab(next);
            setOpen(true);
          }}
          actions={
            <button
              type="button"
              class="button quiet bare page-side-toggle"
              aria-label="Details"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <Icon name="right" />
            </button>
          }
        >
          {tab === 'history' && <HistoryPanel space={page.space} page={page.id} />}
          {tab === 'blocks' &&
            (current && currentBlock && selected !== undefined ? (
              <PropertiesPanel
                key={`${selected} ${current.component}`}
                page={page}
                of={current}
                block={currentBlock}
                nth={selected}
                session={sessions[selected]?.session}
                save={(props, on) => run(saveProps(selected, current.component, props), on)}
                onBack={() => setSelected(undefined)}
              />
            ) : (
              <PageBlocks
                blocks={blocks}
                known={integration.blocks}
                sessions={sessions}
                onSelect={(nth) => {
                  setSelected(nth);
                  main.current?.querySelector(`#block-${nth}`)?.scrollIntoView({ block: 'center' });
                }}
                onInsert={() => openMenu()}
              />
            ))}
        </Tabs>
      </aside>
    </>
  );
}

function Rejected(props: { onRepeat: () => Promise<void>; onDiscard: () => void }): JSX.Element {
  return (
    <div class="notice warn page-notice" role="alert">
      <Icon name="warning" />
      <div class="grow">
        <p>The page has changed since you opened it, for example in your editor. Your change wasn't saved.</p>
        <div class="row">
          <Button size="small" kind="primary" onPress={() => void props.onRepeat()}>
            Apply my change to the current page
          </Button>
          <Button size="small" onPress={props.onDiscard}>
            Discard my change
          </Button>
        </div>
      </div>
    </div>
  );
}

const inOtherFile = (file: string): string => `This block is in ${file}. Change it there.`;

async function removeBlock(on: PageResource, of: PageBlockOf | undefined): Promise<PageResource> {
  if (of?.file !== undefined) throw new Error(inOtherFile(of.file));
  const start = of?.node.start;
  if (start === undefined) throw new Error('The block is no longer on the page.');
  return api('DELETE /content/block', { space: on.space, page: on.id, hash: on.hash, start });
}

/** Chooses the target as the site does: the first installation in the space, or one on its site if the space has none. */
export function whereToRender(
  platform: PlatformResource,
  space: string,
): { target: InstalledTarget; endpoint: string } | undefined {
  const installed = installedIn(platform);
  const site = platform.sites.find(({ spaces }) => spaces.includes(space))?.id;
  return (
    installed.find(({ target }) => target.space === space) ??
    installed.find(({ target }) => site !== undefined && target.site === site)
  );
}

/** Handles a link pasted outside a field. */
function usePastedLink(offer: (link: string) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const { target } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const link = readLink(event.clipboardData?.getData('text/plain') ?? '');
      if (link === undefined) return;
      // Otherwise, the browser would paste the text into the menu's field, which has the focus by then.
      event.preventDefault();
      offer(link);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  });
}

/** Shows the location of the page and the actions for the whole page. */
function PageHead(props: { page: PageResource; isSource: boolean; onSource: () => void }): JSX.Element {
  const { page, isSource, onSource } = props;
  const { space, id, hash, file, source, link } = page;
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const { act } = useAct();
  const close = (): void => setDialog(undefined);
  return (
    <div class="bar page-head" role="toolbar" aria-label="The page">
      <GoLink to={{ view: 'pages', space }} class="page-back">
        <Icon name="left" size={14} /> Pages
      </GoLink>
      <span class="page-file grow cut">
        <span class="quiet">Text in </span>
        {source === undefined ? <code class="cut">{file}</code> : <SourceLink file={source} />}
      </span>
      {link !== undefined && (
        <a
          class="button secondary small"
          aria-label="View on the site"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
        >
          <Icon name="external" />
          <span class="button-text">View on the site</span>
        </a>
      )}
      <Button
        size="small"
        kind="quiet"
        icon="code"
        label="Edit the Markdown"
        pressed={isSource}
        onPress={onSource}
      >
        Markdown
      </Button>
      <Button
        size="small"
        kind="quiet"
        icon="edit"
        label="Rename or move"
        onPress={() => setDialog('rename')}
      >
        Rename or move
      </Button>
      <Button
        size="small"
        kind="quiet"
        icon="trash"
        label="Delete the page"
        onPress={() => setDialog('delete')}
      />
      {dialog === 'rename' && <RenamePageDialog page={page} onClose={close} />}
      {dialog === 'delete' && (
        <DeletePageDialog
          page={page}
          onClose={close}
          onDelete={() =>
            act(async () => {
              await api('DELETE /content/page', { space, page: id, hash });
              go({ view: 'pages', space }, 'replace');
            }, 'Deleted')
          }
        />
      )}
    </div>
  );
}

/** Changes the given page. Resolves to the page after the change. */
type PageEdit = (page: PageResource) => Promise<PageResource>;

interface PageEdits {
  page: PageResource;
  /** An edit that was not saved because the page had changed in the meantime. */
  rejected: PageEdit | undefined;
  /** Resolves to undefined if nothing was written. `on` is the page that was edited. */
  run(edit: PageEdit, on?: PageResource): Promise<PageResource | undefined>;
  /** Applies the rejected edit to the current page. */
  repeat(): Promise<void>;
  discard(): void;
}

/** The page as it was last read or written, and functions that change it. */
function usePageEdits(read: PageResource, reload: () => void): PageEdits {
  const [own, setOwn] = useState<{ page: PageResource; over: PageResource }>();
  const [rejected, setRejected] = useState<PageEdit>();
  // A page that was just written is newer than the one read before it.
  const page = own?.over === read ? own.page : read;

  const run: PageEdits['run'] = async (edit, on = page) => {
    try {
      const written = await edit(on);
      setOwn({ page: written, over: read });
      setRejected(undefined);
      return written;
    } catch (error) {
      if (codeOf(error) === 'page-changed') {
        setRejected(() => edit);
        reload();
      } else showToast(errorMessage(error), 'bad');
      return undefined;
    }
  };

  return {
    page,
    rejected,
    run,
    async repeat() {
      if (!rejected) return;
      const { space, id } = page;
      await run(async () => rejected(await api('GET /content/page', { space, page: id })));
    },
    discard: () => setRejected(undefined),
  };
}
