import { render, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Marked } from '../../console/text/marked.js';
import { Dialog } from '../../console/ui/dialog.js';
import { Icon } from '../../console/ui/icon.js';
import { isSamePage, type SearchHit } from '../search-hit.js';

export const openSearch = (overlay: Element, close: () => void): void =>
  render(<Search onClose={close} />, overlay);

/** `isRecent` is set if this browser has opened the result before. */
type FoundHit = SearchHit & { isRecent?: boolean };

const recentKey = 'recent';
const readRecent = (): SearchHit[] => JSON.parse(localStorage.getItem(recentKey) ?? '[]') as SearchHit[];

function Search({ onClose }: { onClose: () => void }): JSX.Element {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<{ words: string; hits: FoundHit[] }>({ words: '', hits: [] });
  const [at, setAt] = useState(0);
  /** The search for the current text. Enter waits for its result. */
  const latest = useRef<Promise<FoundHit[]> | undefined>(undefined);
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
  const open = (hit: FoundHit | undefined): void => {
    if (!hit) return;
    const others = readRecent().filter(({ href }) => href !== hit.href);
    localStorage.setItem(recentKey, JSON.stringify([hit, ...others].slice(0, 4)));
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
  const result = (hit: FoundHit, index: number): JSX.Element => {
    const isBelow = words !== '' && isSamePage(hit, hits[index - 1]);
    const around = isBelow ? [] : [hit.above, hit.section && hit.page];
    const before = around.filter(Boolean).join(' › ');
    return (
      <li
        key={hit.href}
        id={`search-hit-${index}`}
        class={isBelow ? 'bar search-hit below' : 'bar search-hit'}
        role="option"
        aria-selected={index === at}
        onMouseMove={() => setAt(index)}
        onClick={() => open(hit)}
      >
        <span class="tile search-kind" aria-hidden="true">
          {hit.section === undefined ? <Icon name="pages" /> : '#'}
        </span>
        <span class="grow">
          <span class="search-place">
            {before !== '' && (
              <>
                <span class="quiet cut">{marked(before)}</span>
                <span class="quiet">›</span>
              </>
            )}
            <strong class="cut">{marked(hit.section ?? hit.page)}</strong>
          </span>
          {hit.text !== undefined && <span class="search-text clamp">{marked(hit.text)}</span>}
        </span>
        <kbd aria-hidden="true">↵</kbd>
      </li>
    );
  };
  const recent = words === '' ? hits.filter(({ isRecent }) => isRecent).length : 0;
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
          <span role="status">{words !== '' && countOf(hits.length)}</span>
        </>
      }
    >
      <div class="bar search-line">
        <Icon name="search" size={20} />
        <input
          class="search-field"
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
          onInput={(event) => {
            const { value } = event.currentTarget;
            setTyped(value);
            setAt(0);
            ask(value);
          }}
          onKeyDown={move}
        />
      </div>
      <ul id="search-hits" class="search-hits" role="listbox" aria-label="Results">
        {hits.map((hit, index) => [
          words === '' && (index === 0 || index === recent) && (
            <li key={index} role="presentation" class="search-group">
              {index < recent ? 'Recent' : 'Pages'}
            </li>
          ),
          result(hit, index),
        ])}
      </ul>
      {words !== '' && hits.length === 0 && (
        <div class="column empty">
          <span class="tile empty-icon">
            <Icon name="search" size={20} />
          </span>
          <p class="empty-title wrap-anywhere">No results for “{words}”</p>
          <p class="empty-text">
            {words.includes(' ')
              ? 'No page contains all of these words. Try fewer words.'
              : 'Check the spelling, or type only the beginning of the word.'}
          </p>
        </div>
      )}
    </Dialog>
  );
}

const countOf = (count: number): string =>
  count === 0 ? 'No results' : count === 1 ? '1 result' : `${count} results`;

/** Before anything is typed, returns the recent results and the first pages. */
async function findHits(words: string, signal: AbortSignal): Promise<FoundHit[]> {
  try {
    const response = await fetch(`/~/search.json?${new URLSearchParams({ words })}`, { signal });
    const hits = response.ok ? ((await response.json()) as SearchHit[]) : [];
    if (words.trim() !== '') return hits;
    const recent = readRecent().map((hit) => ({ ...hit, isRecent: true }));
    return [...recent, ...hits.filter(({ href }) => recent.every((one) => one.href !== href))];
  } catch {
    return [];
  }
}
