import { render, type ComponentChildren, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Marked } from '../../console/text/marked.js';
import { Dialog } from '../../console/ui/dialog.js';
import { Icon } from '../../console/ui/icon.js';
import { isSamePage, type SearchHit } from '../search-hit.js';

export const openSearch = (overlay: Element, close: () => void): void =>
  render(<Search onClose={close} />, overlay);

/** The paths of the pages that this browser has opened, newest first. */
const recentKey = 'recent';
const readRecent = (): string[] => JSON.parse(localStorage.getItem(recentKey) ?? '[]') as string[];

/** Remembers an opened page, for the list before anything is typed. */
export const noteRecent = (path: string): void =>
  localStorage.setItem(
    recentKey,
    JSON.stringify([path, ...readRecent().filter((one) => one !== path)].slice(0, 6)),
  );

function Search({ onClose }: { onClose: () => void }): JSX.Element {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<{ words: string; hits: SearchHit[] }>({ words: '', hits: [] });
  const [at, setAt] = useState(0);
  /** The search for the current text. Enter waits for its result. */
  const latest = useRef<Promise<SearchHit[]> | undefined>(undefined);
  const earlier = useRef(new AbortController());
  const ask = (words: string): void => {
    earlier.current.abort();
    earlier.current = new AbortController();
    const answer = findHits(words, earlier.current.signal);
    latest.current = answer;
    void answer.then((hits) => latest.current === answer && setFound({ words: words.trim(), hits }));
  };
  useEffect(() => ask(''), []);
  useEffect(() => document.querySelector(`#search-hit-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);
  const { words, hits } = found;
  const open = (hit: SearchHit | undefined): void => {
    if (!hit) return;
    onClose();
    location.assign(hit.href);
  };
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((at + step + hits.length) % Math.max(1, hits.length));
    } else if (event.key === 'Enter') {
      void latest.current?.then((all) => open(all[at]));
    }
  };
  const marked = (text: string): JSX.Element => <Marked text={text} words={words.split(/\s+/)} />;
  const field = useRef<HTMLInputElement>(null);
  const type = (value: string): void => {
    setTyped(value);
    setAt(0);
    ask(value);
    field.current?.focus();
  };
  const isEmpty = hits.every(({ kind }) => kind === 'similar' || kind === 'other');
  /** What is above the first result of a group. The results on a page are a group, unless its title is the first of them. */
  const headOf = (hit: SearchHit, before: SearchHit | undefined): ComponentChildren => {
    if (words !== '' && hit.kind)
      return !before && (hit.kind === 'similar' ? 'Similar pages' : 'Other pages');
    if (words === '')
      return hit.kind !== before?.kind || !before ? (hit.kind ? 'Recently viewed' : 'Pages') : false;
    if (hit.section === undefined || isSamePage(hit, before)) return false;
    return (
      <>
        {hit.above && <>{hit.above} › </>}
        <strong>{marked(hit.page)}</strong>
      </>
    );
  };
  const result = (hit: SearchHit, index: number): JSX.Element => {
    const { section, within, above, page, text } = hit;
    const isPage = section === undefined;
    const before = isPage ? above : within;
    return (
      <li
        key={hit.href}
        id={`search-hit-${index}`}
        class={isPage ? 'bar search-hit' : 'bar search-hit below'}
        role="option"
        aria-selected={index === at}
        onMouseMove={() => setAt(index)}
        onClick={() => open(hit)}
      >
        <span class="tile well search-kind" aria-hidden="true">
          {isPage ? <Icon name={hit.kind === 'recent' ? 'clock' : 'pages'} /> : '#'}
        </span>
        <span class="grow">
          <span class="search-place">
            {before && <span class="quiet cut">{before} ›</span>}{' '}
            <strong class="cut">{marked(section ?? page)}</strong>
          </span>
          {text !== undefined && <span class="search-text clamp">{marked(text)}</span>}
        </span>
        <kbd aria-hidden="true">↵</kbd>
      </li>
    );
  };
  return (
    <Dialog
      title="Search"
      onClose={onClose}
      footer={
        <>
          <span class="bar search-keys" aria-hidden="true">
            <span>
              <kbd>↑</kbd> <kbd>↓</kbd> Select
            </span>
            <span>
              <kbd>↵</kbd> Open
            </span>
            <span>
              <kbd>Esc</kbd> Close
            </span>
          </span>
          <span role="status">{words !== '' && countOf(isEmpty ? 0 : hits.length)}</span>
        </>
      }
    >
      <div class="bar search-line">
        <Icon name="search" size={20} />
        <input
          class="search-field"
          ref={field}
          role="combobox"
          list={undefined}
          aria-label="Search titles, headings and text"
          aria-expanded={hits.length > 0}
          aria-controls="search-hits"
          aria-activedescendant={hits[at] ? `search-hit-${at}` : undefined}
          autocomplete="off"
          enterkeyhint="go"
          placeholder="Search titles, headings and text"
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={move}
        />
        {typed !== '' && (
          <button type="button" class="button quiet small" onClick={() => type('')}>
            Clear
          </button>
        )}
      </div>
      {words !== '' && isEmpty && (
        <div class="search-empty">
          <p class="wrap-anywhere">
            <strong>No results for “{words}”</strong>
          </p>
          <p class="quiet small">
            {words.includes(' ')
              ? 'No page contains all of these words. Try fewer words.'
              : 'Check the spelling, or type only the beginning of the word.'}
          </p>
        </div>
      )}
      <ul id="search-hits" class="search-hits" role="listbox" aria-label="Results">
        {hits.map((hit, index) => {
          const head = headOf(hit, hits[index - 1]);
          return [
            head && (
              <li key={`${hit.href} `} role="presentation" class="cut quiet small semi search-group">
                {head}
              </li>
            ),
            result(hit, index),
          ];
        })}
      </ul>
    </Dialog>
  );
}

const countOf = (count: number): string =>
  count === 0 ? 'No results' : count === 1 ? '1 result' : `${count} results`;

/** Returns the results. If there are none, returns other pages, so that the search leads somewhere. */
async function findHits(words: string, signal: AbortSignal): Promise<SearchHit[]> {
  try {
    const query = new URLSearchParams({ words });
    for (const path of readRecent()) if (path !== location.pathname) query.append('recent', path);
    const response = await fetch(`/~/search.json?${query}`, { signal });
    const hits = response.ok ? ((await response.json()) as SearchHit[]) : [];
    if (hits.length > 0 || words.trim() === '') return hits;
    return (await findHits('', signal)).slice(0, 4).map((hit) => ({ ...hit, kind: 'other' }));
  } catch {
    return [];
  }
}
