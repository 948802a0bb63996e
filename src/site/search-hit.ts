/** A page or heading that a search has found. */
export interface SearchHit {
  href: string;
  text: string;
  /** The title of the heading's page. */
  page?: string;
}
