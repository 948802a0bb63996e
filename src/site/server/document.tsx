import { randomBytes } from 'node:crypto';
import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Icon } from '../../console/ui/icon.js';
import { iconFor } from '../../console/ui/icon-paths.js';
import type { PageEntry } from '../../content/index.js';
import type { Heading } from '../../content/page/index.js';
import type { ReaderSpace } from '../../emulator/spaces/readers.js';
import type { PageData } from '../block-data.js';
import { addressOf, markdownAddressOf, type PagePlace } from '../site-content.js';
import { Navigation } from './navigation.js';

export interface DocumentParts {
  title: string;
  description?: string | undefined;
  space: ReaderSpace;
  spaces: readonly ReaderSpace[];
  pages: readonly PageEntry[];
  /** The same pages as a flat list. */
  documents: readonly PageEntry[];
  /** The page to show. Undefined if there is no page at this URL. */
  page?: PageEntry;
  place: PagePlace;
  headings: readonly Heading[];
  data?: PageData;
  /** The scope that would let the integration publish a script in production. */
  scriptScope?: string | undefined;
  /** The image above the title. */
  cover?: ComponentChildren;
  icon?: string | undefined;
  /** Whether the page is written to a file, so it leaves out everything that needs the platform. */
  isStatic?: boolean | undefined;
  body: ComponentChildren;
}

/** Another program may have served files under the same URLs, and the browser may have cached them. */
const start = randomBytes(8).toString('hex');

export const renderDocument = (parts: DocumentParts): string =>
  `<!doctype html>${renderToString(<Document {...parts} />)}`;

function Document(parts: DocumentParts): JSX.Element {
  const {
    title,
    description,
    space,
    spaces,
    pages,
    documents,
    page,
    place,
    headings,
    data,
    scriptScope,
    cover,
    isStatic,
    body,
  } = parts;
  const icon = iconFor(parts.icon ?? '');
  const name = space.site?.title ?? space.title;
  const { trail } = place;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{page && page.path !== '' ? `${title} | ${name}` : name}</title>
        {description && <meta name="description" content={description} />}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={`/~/app.css?${start}`} />
        {/* Browsers do not load modules from files. */}
        <script
          type={isStatic ? undefined : 'module'}
          defer={isStatic}
          // The script sets the theme and the height of the blocks that load, which must not change after the page is shown.
          {...{ blocking: 'render' }}
          src={`/~/app.js?${start}`}
        />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="site-head">
          <div class="bar site-head-row">
            <button
              type="button"
              class="tile pick menu-button"
              aria-expanded="false"
              aria-controls="navigation"
              hidden
            >
              <svg class="icon" width="18" height="18" viewBox="0 0 16 16" role="img" aria-label="Menu">
                <path d="M2 4h12M2 8h12M2 12h12" fill="none" stroke="currentColor" stroke-width="1.5" />
              </svg>
            </button>
            <a class="bar site-name" href="/">
              <span class="tile site-mark" aria-hidden="true">
                {String.fromCodePoint(name.codePointAt(0) ?? 32).toUpperCase()}
              </span>
              <span class="cut">{name}</span>
            </a>
            {!isStatic && (
              <>
                <button type="button" class="bar search-button" aria-label="Search" hidden>
                  <Icon name="search" />
                  <span class="grow search-label">Search</span>
                  <kbd>/</kbd>
                </button>
                <VisitorMenu />
              </>
            )}
            <button type="button" class="tile pick theme-button" hidden>
              {(['screen', 'sun', 'moon'] as const).map((name) => (
                <Icon key={name} name={name} size={18} />
              ))}
            </button>
          </div>
        </header>
        <div class="site-frame">
          <Navigation
            space={space}
            spaces={spaces}
            pages={pages}
            count={documents.length}
            page={page}
            place={place}
          />
          {headings.length > 1 && <Contents headings={headings} />}
          <main id="content" class="site-main" tabIndex={-1}>
            {!isStatic && (
              <>
                <p class="well read-only" role="note" hidden>
                  <strong>Read-only.</strong> Run <code>platform open site</code> to click buttons and rate
                  pages.
                </p>
                <p class="well lost" role="alert" hidden>
                  <strong>The platform does not respond.</strong> This page continues when it does. If you
                  stopped it, run <code>platform dev</code>, then <code>platform open site</code>.
                </p>
              </>
            )}
            {scriptScope !== undefined && (
              <p class="well read-only" role="note">
                The script that the integration publishes with <code>{scriptScope}</code> does not run on this
                site.
              </p>
            )}
            <article>
              {trail.length > 0 && (
                <nav class="bar trail" aria-label="Folders">
                  {trail.map((one, at) => (
                    <span key={one.id} class="bar">
                      {at > 0 && <Icon name="right" size={12} />}
                      {one.file === undefined ? one.title : <a href={addressOf(space, one)}>{one.title}</a>}
                    </span>
                  ))}
                </nav>
              )}
              {cover}
              <div class="page-head">
                <h1>
                  {icon && <Icon name={icon} size={26} />}
                  {title}
                </h1>
                {page && !isStatic && <PageMenu url={markdownAddressOf(space, page)} />}
              </div>
              {description && <p class="lead">{description}</p>}
              {body}
            </article>
            {page && space.site && !isStatic && <Feedback />}
            <Neighbours space={space} place={place} />
          </main>
        </div>
        <div id="overlay" />
        {data && !isStatic && (
          <script
            id="page-data"
            type="application/json"
            dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
          />
        )}
      </body>
    </html>
  );
}

const Contents = ({ headings }: Pick<DocumentParts, 'headings'>): JSX.Element => (
  <details class="site-toc" open>
    <summary class="bar nav-title">
      On this page <Icon name="down" size={14} />
    </summary>
    <nav class="popup" aria-label="On this page">
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id} class={level > 2 ? 'deeper' : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  </details>
);

function Neighbours({ space, place }: Pick<DocumentParts, 'space' | 'place'>): JSX.Element | null {
  const { previous, next } = place;
  if (!previous && !next) return null;
  return (
    <nav class="neighbours" aria-label="Previous and next page">
      {previous && (
        <a class="column card neighbour" href={addressOf(space, previous)}>
          <span class="bar quiet small">
            <Icon name="left" size={14} /> Previous
          </span>
          <strong>{previous.title}</strong>
        </a>
      )}
      {next && (
        <a class="column card neighbour next" href={addressOf(space, next)}>
          <span class="bar quiet small">
            Next <Icon name="right" size={14} />
          </span>
          <strong>{next.title}</strong>
        </a>
      )}
    </nav>
  );
}

/** Works only with the page's script, so it is hidden until then. */
const PageMenu = ({ url }: { url: string }): JSX.Element => (
  <div class="bar page-menu" hidden>
    <button type="button" class="button quiet small copy" data-copy={`/~/pages${url}`}>
      <Icon name="copy" size={14} /> <Icon name="check" size={14} /> <span aria-live="polite">Copy page</span>
    </button>
    <a class="button quiet small copy" href={url}>
      Markdown <Icon name="external" size={14} />
    </a>
  </div>
);

/**
 * Filled in by the page's script, which has the key, so that other people who can read the site do not see who is signed in.
 */
const VisitorMenu = (): JSX.Element => (
  <details class="visitor" hidden>
    <summary class="bar">
      <Icon name="eye" /> <span class="visitor-label">Visitor:</span>{' '}
      <span class="semi visitor-name">Anonymous</span>
      <Icon name="down" size={14} />
    </summary>
    <div class="popup stack tight visitor-panel">
      <pre class="visitor-claims" tabIndex={0} aria-label="Visitor claims" hidden />
      <a class="button visitor-sign-in" rel="noreferrer" hidden>
        Sign in
      </a>
      <button type="button" class="button visitor-another">
        Read as another anonymous visitor
      </button>
      <button type="button" class="button visitor-sign-out" hidden>
        Sign out
      </button>
    </div>
  </details>
);

const ratings = [
  ['good', 'Yes'],
  ['ok', 'Partly'],
  ['bad', 'No'],
] as const;

/** Needs the site's script and the key, so it is hidden until both are available. */
const Feedback = (): JSX.Element => (
  <section class="row well feedback" aria-label="Feedback" hidden>
    <p class="strong" id="feedback-question">
      Was this page helpful?
    </p>
    <div class="bar" role="group" aria-labelledby="feedback-question">
      {ratings.map(([rating, label]) => (
        <button key={rating} type="button" class="button rating" data-rating={rating} aria-pressed="false">
          {label}
        </button>
      ))}
    </div>
    <div class="column feedback-more" hidden>
      <label class="semi" for="feedback-comment">
        What could be better? (optional)
      </label>
      <textarea id="feedback-comment" class="control" rows={3} maxLength={2000} />
      <button type="button" class="button m-button primary feedback-send">
        Send
      </button>
    </div>
    <p class="feedback-status" role="status" />
  </section>
);
