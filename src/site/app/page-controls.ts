import { render } from 'preact';
import { openSearch } from './search.js';

/** Sets up everything that works without the key: copying, the menu, external images, search and the current heading. */
export function enhancePage(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button));
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-image]'))
    button.addEventListener('click', showImages);
  openMenu();
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

async function copy(button: HTMLButtonElement): Promise<void> {
  const lines = button.closest('.page-code')?.querySelectorAll('.code-line') ?? [];
  const label = button.querySelector('span');
  try {
    await navigator.clipboard.writeText([...lines].map(({ textContent }) => textContent).join('\n'));
    if (label) label.textContent = 'Copied';
  } catch {
    if (label) label.textContent = 'Not allowed';
  }
  setTimeout(() => label && (label.textContent = 'Copy'), 1600);
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
