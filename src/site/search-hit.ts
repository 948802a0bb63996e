/** A page, heading or line of text found by a search. */
export interface SearchHit {
  href: string;
  page: string;
  /** The titles of the folders that contain the page. */
  above?: string;
  /** The heading above the text. */
  section?: string;
  /** The headings above that heading. */
  within?: string;
  text?: string;
  /** Set if the page does not contain the words. */
  kind?: 'recent' | 'similar' | 'other';
}

/** The results of a page follow each other. */
export const isSamePage = (one: SearchHit, other: SearchHit | undefined): boolean =>
  one.href.replace(/#.*/, '') === other?.href.replace(/#.*/, '');
