/** A page or heading that was found by a search. */
export interface SearchHit {
  href: string;
  text: string;
  /** The title of the page that contains the heading. */
  page?: string;
}
