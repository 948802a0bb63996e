/** A page, heading or line of text found by a search. */
export interface SearchHit {
  href: string;
  text: string;
  /** The title of the page that contains the heading or text. */
  page?: string;
}
