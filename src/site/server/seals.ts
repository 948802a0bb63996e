import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { HttpError } from '../../emulator/http/http-error.js';
import type { SealedResult } from '../block-data.js';
import type { RenderResult } from '../../contract/routes/components.js';

/** A block on a page. */
export interface Subject {
  page: string;
  nth: number;
}

/**
 * Properties come from the page or the script, never from the browser. Properties from the script that pass through the browser
 * have a seal, and are accepted only with that seal.
 */
export interface Seals {
  seal(subject: Subject, result: RenderResult, component: string): SealedResult;
  check(subject: Subject, component: string, props: object, seal: string | undefined): void;
}

export function createSeals(): Seals {
  const secret = randomBytes(32);
  const sign = ({ page, nth }: Subject, component: string, props: object): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([page, nth, component, props]))
      .digest('base64url');
  return {
    seal(subject, result, component) {
      if (result.type === 'element') return { ...result, seal: sign(subject, component, result.props) };
      if (result.type !== 'open-modal') return result;
      const { modal } = result;
      const sealed =
        modal.type === 'element' ? { ...modal, seal: sign(subject, result.component, modal.props) } : modal;
      return { ...result, modal: sealed, seal: sign(subject, result.component, result.props) };
    },
    check(subject, component, props, seal = '') {
      const [given, expected] = [Buffer.from(seal), Buffer.from(sign(subject, component, props))];
      if (given.length === expected.length && timingSafeEqual(given, expected)) return;
      throw new HttpError(
        403,
        'unknown-properties',
        'These properties do not come from this page. Reload the page and try again.',
      );
    },
  };
}
