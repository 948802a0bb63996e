import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ContentResource } from '../../contract/routes/content.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { api } from '../api/fetch-api.js';
import { installIn } from '../live/install-in.js';
import type { LiveEvent } from '../live/live-stream.js';
import { useResource } from '../live/use-resource.js';
import { go } from '../shell/navigation.js';
import { Button } from '../ui/button.js';
import { Command } from '../ui/command.js';
import { Field } from '../ui/form/field.js';
import { Icon } from '../ui/icon.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import { useAct } from '../ui/run-and-report.js';
import { NewPageDialog } from './page-dialogs.js';
import { PageEditor, whereToRender } from './page-editor.js';
import { PageList } from './page-list.js';

interface PagesViewProps {
  platform: PlatformResource;
  space: string | undefined;
  page: string | undefined;
  /** The path of the page, if its id is not known. */
  path: string | undefined;
}

const changesContent =
  (space: string) =>
  (event: LiveEvent): boolean =>
    event.type === 'state-loaded' || (event.type === 'content' && event.space === space);

/** The pages of a space with live blocks, as their authors see them. */
export function PagesView({ platform, space: wanted, page, path }: PagesViewProps): JSX.Element {
  const space = wanted ?? platform.spaces[0]?.id;
  if (space === undefined)
    return (
      <EmptyState icon="pages" title="No spaces">
        <p>
          Pages belong to a space. List one under <code>spaces</code> in platform.dev.yaml.
        </p>
      </EmptyState>
    );
  return <Space key={space} platform={platform} space={space} page={page} path={path} />;
}

function Space({ platform, space, page: wanted, path }: PagesViewProps & { space: string }): JSX.Element {
  const { data, error, read } = useResource(
    `content ${space}`,
    () => api('GET /content', { space }),
    changesContent(space),
  );
  const [creating, setCreating] = useState(false);
  const [failed, setFailed] = useState(false);
  if (!data)
    return error === undefined ? (
      <LoadingState />
    ) : (
      <Unreadable what="The pages" error={error} again={read} />
    );
  if (data.folder === undefined)
    return (
      <EmptyState
        icon="pages"
        title="No folder is mounted for this space"
        action={<Command text="platform dev --content docs" />}
      >
        <p>
          A space's pages are the Markdown files in a folder. Start the platform with a folder, or set{' '}
          <code>content</code> of the space in platform.dev.yaml.
        </p>
      </EmptyState>
    );
  const page = wanted ?? data.pages.find((one) => one.path === path)?.id;
  const current = page ?? data.pages.find(({ type }) => type === 'document')?.id;
  return (
    <div class={page === undefined ? 'pages' : 'pages open'}>
      {!whereToRender(platform, space) && <NotInstalled platform={platform} space={space} />}
      <div class="column page-tree">
        <SpaceHead platform={platform} content={data} onCreate={() => setCreating(true)} />
        <PageList content={data} current={current} failed={failed} />
      </div>
      {current === undefined ? (
        <div class="column min-0">
          <EmptyState
            icon="pages"
            title="No pages yet"
            action={
              <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
                New page
              </Button>
            }
          >
            <p>
              Every <code>.md</code> file of <code class="wrap-anywhere">{data.folder}</code> is a page.
            </p>
          </EmptyState>
        </div>
      ) : (
        <OpenPage key={current} platform={platform} content={data} page={current} onFailed={setFailed} />
      )}
      {creating && <NewPageDialog space={space} onClose={() => setCreating(false)} />}
    </div>
  );
}

interface OpenPageProps {
  platform: PlatformResource;
  content: ContentResource;
  page: string;
  onFailed: (failed: boolean) => void;
}

function OpenPage({ platform, content, page, onFailed }: OpenPageProps): JSX.Element {
  const { space } = content;
  const { data, error, read } = useResource(
    `page ${space} ${page}`,
    () => api('GET /content/page', { space, page }),
    // Also reloads after a change to the manifest, which may now declare different blocks.
    (event) => event.type === 'reloaded' || changesContent(space)(event),
  );
  if (data)
    return <PageEditor {...{ platform, read: data, reload: read, error, onFailed }} pages={content.pages} />;
  return (
    <div class="column min-0">
      {error === undefined ? <LoadingState /> : <Unreadable what="The page" error={error} again={read} />}
    </div>
  );
}

const visibilities = ['public', 'unlisted', 'private'] as const;

function SpaceHead(props: {
  platform: PlatformResource;
  content: ContentResource;
  onCreate: () => void;
}): JSX.Element {
  const { platform, content, onCreate } = props;
  const { space, visibility } = content;
  const { busy, act } = useAct();
  return (
    <div class="stack tight page-space">
      {platform.spaces.length > 1 && (
        <Field label="Space" hideLabel>
          {(ids) => (
            <select
              {...ids}
              class="control compact"
              value={space}
              onChange={(event) => go({ view: 'pages', space: event.currentTarget.value })}
            >
              {platform.spaces.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label="Visibility">
        {(ids) => (
          <select
            {...ids}
            class="control compact"
            value={visibility}
            disabled={busy}
            onChange={(event) => {
              const next = visibilities.find((one) => one === event.currentTarget.value);
              if (next)
                act(
                  () => api('POST /content/visibility', { space, visibility: next }),
                  `The space is now ${next}`,
                );
            }}
          >
            {visibilities.map((one) => (
              <option key={one} value={one}>
                {`${one.charAt(0).toUpperCase()}${one.slice(1)}`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="bar">
        <Button size="small" icon="plus" onPress={onCreate}>
          New page
        </Button>
        <Button
          size="small"
          busy={busy}
          label="Sync with Git: sends space_gitsync_started and space_gitsync_completed"
          onPress={() => act(() => api('POST /content/sync', { space }), 'Synced')}
        >
          Sync
        </Button>
      </div>
    </div>
  );
}

function NotInstalled({ platform, space }: { platform: PlatformResource; space: string }): JSX.Element {
  const { busy, act } = useAct();
  return (
    <div class="notice warn pages-notice">
      <Icon name="warning" />
      <p class="grow">The integration isn't installed in this space, so its blocks aren't shown.</p>
      <Button kind="primary" busy={busy} onPress={() => act(() => installIn(platform, space), 'Installed')}>
        Install
      </Button>
    </div>
  );
}
