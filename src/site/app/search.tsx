import { render, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Marked } from '../../console/text/marked.js';
import { Dialog } from '../../console/ui/dialog.js';
import type { SearchHit } from '../search-hit.js';

export const openSearch = (overlay: Element, close: () => void): void =>
  render(<Search onClose={close} />, overlay);

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
    void answer.then((hits) => latest.current === answer && setFound({ words, hits }));
  };
  useEffect(() => ask(''), []);
  const { hits } = found;
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
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        class="control search-field"
        role="combobox"
        list={undefined}
        aria-label="Search titles, headings and text"
        aria-expanded={hits.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={hits[at] ? `search-hit-${at}` : undefined}
        autocomplete="off"
        placeholder="Titles, headings and text"
        value={typed}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setTyped(value);
          setAt(0);
          ask(value);
        }}
        onKeyDown={move}
      />
      <ul id="search-hits" class="search-hits" role="listbox" aria-label="Results">
        {hits.map((hit, index) => (
          <li
            key={hit.href}
            id={`search-hit-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(hit)}
          >
            <span>
              <Marked text={hit.text} words={found.words.split(/\s+/)} />
            </span>
            {hit.page !== undefined && <span class="quiet small">{hit.page}</span>}
          </li>
        ))}
      </ul>
      {found.words !== '' && hits.length === 0 && <p class="quiet">Nothing contains “{found.words}”.</p>}
    </Dialog>
  );
}

async function findHits(words: string, signal: AbortSignal): Promise<SearchHit[]> {
  try {
    const response = await fetch(`/~/search.json?${new URLSearchParams({ words })}`, { signal });
    return response.ok ? ((await response.json()) as SearchHit[]) : [];
  } catch {
    return [];
  }
}
