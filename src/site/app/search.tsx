import { render, type JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Dialog } from '../../console/ui/dialog.js';

interface SearchPage {
  title: string;
  path: string;
  headings: { id: string; text: string }[];
}

interface Hit {
  href: string;
  text: string;
  /** The page that contains the heading. */
  page?: string;
}

export const openSearch = (overlay: Element, close: () => void): void =>
  render(<Search onClose={close} />, overlay);

const mostHits = 12;

function Search({ onClose }: { onClose: () => void }): JSX.Element {
  const [pages, setPages] = useState<SearchPage[]>([]);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => {
    void fetch('/~/search.json')
      .then(async (response) => setPages((await response.json()) as SearchPage[]))
      .catch(() => {});
  }, []);
  const hits = useMemo(() => findHits(pages, typed), [pages, typed]);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((at + step + hits.length) % Math.max(1, hits.length));
    } else if (event.key === 'Enter') {
      const hit = hits[at];
      if (!hit) return;
      onClose();
      location.assign(hit.href);
    }
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        class="control search-field"
        role="combobox"
        list={undefined}
        aria-label="Search titles and headings"
        aria-expanded={hits.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={hits[at] ? `search-hit-${at}` : undefined}
        autocomplete="off"
        placeholder="Titles and headings"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={move}
      />
      <ul id="search-hits" class="search-hits" role="listbox" aria-label="Results">
        {hits.map(({ href, text, page }, index) => (
          <li
            key={href}
            id={`search-hit-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => {
              onClose();
              location.assign(href);
            }}
          >
            <span>{text}</span>
            {page !== undefined && <span class="quiet small">{page}</span>}
          </li>
        ))}
      </ul>
      {typed !== '' && hits.length === 0 && <p class="quiet">No title or heading contains “{typed}”.</p>}
    </Dialog>
  );
}

function findHits(pages: readonly SearchPage[], typed: string): Hit[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const titles = pages
    .filter(({ title }) => fits(title))
    .map(({ title, path }) => ({ href: path, text: title }));
  const headings =
    words.length === 0
      ? []
      : pages.flatMap(({ title, path, headings: all }) =>
          all
            .filter(({ text }) => fits(text))
            .map(({ id, text }) => ({ href: `${path}#${id}`, text, page: title })),
        );
  return [...titles, ...headings].slice(0, mostHits);
}
