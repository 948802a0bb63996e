import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import type { RevisionResource } from '../../contract/routes/content.js';
import { api } from '../api/fetch-api.js';
import { useResource } from '../live/use-resource.js';
import { GoLink } from '../shell/navigation.js';
import { DiffView } from '../text/diff-view.js';
import { formatTimeExact, formatTimeOrDate } from '../text/format.js';
import { CopyButton } from '../ui/copy-button.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';

const verbs: Record<string, string> = {
  page_created: 'Created',
  page_edited: 'Edited',
  page_moved: 'Moved',
  page_deleted: 'Deleted',
  file_created: 'Added file',
  file_edited: 'Changed file',
  file_deleted: 'Deleted file',
};

const mostChanges = 8;

/** The revisions of a space since the platform started, newest first. */
export function HistoryPanel({ space, page }: { space: string; page: string }): JSX.Element {
  const { data, error, read } = useResource(
    `revisions ${space}`,
    () => api('GET /content/revisions', { space }),
    (event) => event.type === 'content' && event.space === space,
  );
  const now = performance.timeOrigin + performance.now();
  if (!data)
    return error === undefined ? (
      <LoadingState />
    ) : (
      <Unreadable what="The history" error={error} again={read} />
    );
  return (
    <ol class="page-history">
      {data.length === 1 && (
        <li class="quiet">
          No changes since the platform started. Each change to a file, here or in your editor, is listed
          here.
        </li>
      )}
      {data.map((revision, index) => (
        <li key={revision.id}>
          <p class="bar">
            <strong class="grow cut">
              {index === data.length - 1 ? startOf(revision) : (revision.git?.message ?? headline(revision))}
            </strong>
            <time
              class="quiet small number"
              dateTime={new Date(revision.createdAt).toISOString()}
              title={formatTimeExact(revision.createdAt)}
            >
              {formatTimeOrDate(revision.createdAt, now)}
            </time>
            <CopyButton text={revision.id} label={`Copy the revision's id, ${revision.id}`} />
          </p>
          {revision.git && <p class="quiet small">Commit {revision.git.oid.slice(0, 10)}</p>}
          {index < data.length - 1 && <Changes {...{ revision, space, page }} />}
        </li>
      ))}
    </ol>
  );
}

const startOf = ({ changes: { length } }: RevisionResource): string =>
  length === 0 ? 'Start' : `${length} ${length === 1 ? 'file' : 'files'} at the start`;

function headline({ changes }: RevisionResource): string {
  const [first] = changes;
  if (changes.length !== 1 || !first) return `${changes.length} changes`;
  const block = first.details.find(isBlock);
  if (block) return describe(block);
  return `${verbs[first.type] ?? ''} ${first.title}`;
}

type Detail = RevisionResource['changes'][number]['details'][number];

const isBlock = ({ name }: Detail): boolean => name.startsWith('block ');

const describe = (detail: Detail): string => {
  const { name, before, after } = detail;
  return isBlock(detail)
    ? `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${after ?? ''}`
    : `${name}: ${before || 'none'} → ${after || 'none'}`;
};

/** Shows the difference between two texts when the user opens it. */
function TextChange({ space, before, after }: Detail & { space: string }): JSX.Element {
  const [texts, setTexts] = useState<string[]>();
  const [error, setError] = useState<string>();
  const load = (): void => {
    if (texts) return;
    Promise.all([before, after].map((hash = '') => api('GET /content/text', { space, hash }))).then(
      (found) => setTexts(found.map(({ text }) => text.replaceAll('\r\n', '\n'))),
      (reason: unknown) => setError(errorMessage(reason)),
    );
  };
  const [was, is] = texts ?? [];
  return (
    <details class="page-detail" onToggle={load}>
      <summary class="quiet">Text changed</summary>
      {was !== undefined && is !== undefined && (
        <DiffView before={was} after={is} label="The text before and after" />
      )}
      {error !== undefined && <p class="quiet">{error}</p>}
    </details>
  );
}

function Changes(props: { revision: RevisionResource; space: string; page: string }): JSX.Element {
  const { revision, space, page } = props;
  const { changes, git } = revision;
  return (
    <ul>
      {changes.slice(0, mostChanges).map((change, at) => {
        const elsewhere = change.page === page ? undefined : change.page;
        // The headline already names a single change.
        const isNamed = changes.length === 1 && !git && elsewhere === undefined;
        return (
          <li key={at} class={isNamed ? 'small named' : 'small'}>
            {!isNamed && <span class="quiet">{verbs[change.type]} </span>}
            {!isNamed &&
              (elsewhere !== undefined && change.type !== 'page_deleted' ? (
                <GoLink to={{ view: 'pages', space, page: elsewhere }}>{change.title}</GoLink>
              ) : (
                change.title
              ))}
            {change.details
              .filter((detail) => !isNamed || detail !== change.details.find(isBlock))
              .map((detail) =>
                detail.name === 'documentId' ? (
                  <TextChange key="text" {...detail} space={space} />
                ) : (
                  <span key={detail.name + detail.after} class="page-detail quiet">
                    {describe(detail)}
                  </span>
                ),
              )}
          </li>
        );
      })}
      {changes.length > mostChanges && <li class="small quiet">and {changes.length - mostChanges} more</li>}
    </ul>
  );
}
