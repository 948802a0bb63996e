import type { PageData } from '../block-data.js';
import type { Client } from './client.js';
import { visitorId } from './visit.js';

/** Asks for a rating at the end of a page, and then for an optional comment. */
export function openFeedback(page: PageData, client: Client): void {
  const section = document.querySelector<HTMLElement>('.feedback');
  const more = section?.querySelector<HTMLElement>('.feedback-more');
  const comment = section?.querySelector('textarea');
  const status = section?.querySelector('.feedback-status');
  if (!section || !more || !comment || !status) return;
  const ratings = [...section.querySelectorAll<HTMLButtonElement>('[data-rating]')];
  section.hidden = false;

  for (const button of ratings)
    button.addEventListener('click', () => {
      for (const one of ratings) one.setAttribute('aria-pressed', String(one === button));
      more.hidden = false;
      status.textContent = '';
      comment.focus();
    });

  section.querySelector('.feedback-send')?.addEventListener('click', () => {
    const rating = ratings.find((one) => one.getAttribute('aria-pressed') === 'true')?.dataset['rating'];
    client
      .post('rate', {
        space: page.space,
        page: page.page,
        visitor: visitorId(),
        referrer: document.referrer,
        rating,
        comment: comment.value,
      })
      .then(
        () => {
          more.hidden = true;
          comment.value = '';
          status.textContent = 'Thank you for your feedback.';
        },
        (error: Error) => (status.textContent = error.message),
      );
  });
}
