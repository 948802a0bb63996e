import { render } from 'preact';
import { openSearch } from './search.js';

/** Sets up everything that works without the key: copying, the menu, external images, search and the current heading. */
export function enhancePage(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.hidden = false;
    button.closest('.page-menu')?.removeAttribute('hidden');
    button.addEventListener('click', () => void copy(button));
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-image]'))
    button.addEventListener('click', showImages);
  openMenu();
  foldContents();
  showHeadings();
  markHeading();
  const overlay = document.querySelector('#overlay');
  const button = document.querySelector<HTMLButtonElement>('.search-button');
  if (!overlay || !button) return;
  const open = (): void => openSearch(overlay, () => render(null, overlay));
  button.hidden = false;
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const typing = (event.target as Element).closest('input, textarea, select, [contenteditable]');
    const wanted = event.key === '/' || (event.key === 'k' && (event.metaKey || event.ctrlKey));
    if (!wanted || (typing && event.key === '/')) return;
    event.preventDefault();
    open();
  });
}

/** Copies the code block around the button, or what is at the button's URL. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const label = button.querySelector('span');
  const url = button.dataset['copy'];
  if (!label || button.dataset['copied'] !== undefined) return;
  const { textContent: before } = label;
  try {
    const lines = [...(button.closest('.page-code')?.querySelectorAll('.code-line code') ?? [])];
    const text = url
      ? await (await fetch(url)).text()
      : lines.map(({ textContent }) => textContent).join('\n');
    await navigator.clipboard.writeText(text);
    label.textContent = 'Copied';
    button.dataset['copied'] = '';
  } catch {
    label.textContent = 'Not allowed';
  }
  setTimeout(() => {
    label.textContent = before;
    delete button.dataset['copied'];
  }, 1600);
}

/** One click shows all external images on the page. */
function showImages(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-image]')) {
    const image = new Image();
    image.alt = button.dataset['alt'] ?? '';
    image.referrerPolicy = 'no-referrer';
    image.src = button.dataset['image'] ?? '';
    button.replaceWith(image);
  }
}

function openMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu-button');
  const navigation = document.querySelector<HTMLElement>('#navigation');
  if (!button || !navigation) return;
  button.hidden = false;
  document.documentElement.classList.add('scripted');
  const set = (open: boolean): void => {
    button.setAttribute('aria-expanded', String(open));
    navigation.classList.toggle('open', open);
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    set(false);
    button.focus();
  });
}

/** If there is no room for the table of contents next to the text, it is a line above the text that opens. */
function foldContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.site-toc');
  if (!contents) return;
  const wide = matchMedia('(min-width: 1161px)');
  const fold = (): void => {
    contents.open = wide.matches && !document.querySelector('.api');
  };
  fold();
  wide.addEventListener('change', fold);
  contents.addEventListener('click', ({ target }) => (target as Element).closest('a') && fold());
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && fold());
}

const headingOf = (link: HTMLAnchorElement): HTMLElement | null =>
  document.getElementById(decodeURIComponent(link.hash.slice(1)));

/** Removes the headings of hidden text from the table of contents. */
export function showHeadings(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.site-toc a')) {
    const heading = headingOf(link);
    if (link.parentElement)
      link.parentElement.hidden = !heading || heading.closest('[data-if][hidden]') !== null;
  }
}

/** In the table of contents, highlights the heading that the reader has reached. */
function markHeading(): void {
  const mark = (): void => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('.site-toc li:not([hidden]) a')];
    const headings = links.flatMap((link) => headingOf(link) ?? []);
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120).length;
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const now = atEnd && scrollY > 0 ? links.length - 1 : Math.max(0, passed - 1);
    for (const [at, link] of links.entries()) {
      if (at === now) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  mark();
  document.addEventListener('scroll', mark, { passive: true });
}
