/** A page or heading found by a search. */
export interface SearchHit {
  href: string;
  text: string;
  /** The title of the page that contains the heading. */
  page?: string;
}
