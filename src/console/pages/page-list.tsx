import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ContentResource, PageLine } from '../../contract/routes/content.js';
import { GoLink } from '../shell/navigation.js';
import { Icon } from '../ui/icon.js';

/** The maximum number of pages to list, because people search longer lists instead of reading them. */
const mostShown = 300;
const mostWithoutFilter = 12;

/** Lists the pages of a space, each followed by its child pages. */
export function PageList({
  content,
  current,
  failed,
}: {
  content: ContentResource;
  current: string | undefined;
  /** Whether a block on the current page has failed. */
  failed: boolean;
}): JSX.Element {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = content.pages.filter(({ title, path }) => `${title} ${path}`.toLowerCase().includes(wanted));
  const shown = found.slice(0, mostShown);
  return (
    <>
      {content.pages.length > mostWithoutFilter && (
        <input
          type="search"
          class="control compact"
          aria-label="Find a page"
          placeholder="Find a page"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <nav aria-label="Pages">
        <ul class="column page-list">
          {shown.map((page) => (
            <li key={page.id} style={{ paddingLeft: `${14 * Math.min(page.depth, 4)}px` }}>
              <PageLink
                page={page}
                space={content.space}
                current={page.id === current}
                failed={failed && page.id === current}
              />
            </li>
          ))}
        </ul>
      </nav>
      {found.length === 0 && <p class="quiet small">No matching pages.</p>}
      {found.length > shown.length && (
        <p class="quiet small">{found.length - shown.length} more. Type part of the title to find them.</p>
      )}
      {content.warnings.length > 0 && (
        <details class="page-warnings">
          <summary class="bar">
            <Icon name="warning" size={14} /> {content.warnings.length} warnings
          </summary>
          <ul>
            {content.warnings.slice(0, mostShown).map(({ file, line, message, help }) => (
              <li key={`${file} ${line ?? 0} ${message}`} class="small wrap-anywhere">
                <code>{line === undefined ? file : `${file}:${line}`}</code> {message} {help}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface PageLinkProps {
  page: PageLine;
  space: string;
  current: boolean;
  failed: boolean;
}

function PageLink({ page, space, current, failed }: PageLinkProps): JSX.Element {
  const { id, type, title, path, hidden } = page;
  if (type === 'group') return <span class="bar page-group cut">{title}</span>;
  return (
    <GoLink
      to={{ view: 'pages', space, page: id }}
      class="bar pick page-link"
      current={current}
      label={path || '/'}
    >
      <span class="cut page-name">
        {title}
        <span class="page-path quiet small mono">{path || '/'}</span>
      </span>
      {hidden && <span class="page-hidden">hidden</span>}
      {failed && (
        <span
          class="page-failed"
          role="img"
          aria-label="A block on this page has failed"
          title="A block on this page has failed"
        />
      )}
    </GoLink>
  );
}
