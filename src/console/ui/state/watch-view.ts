/** Calls `measure` now, and whenever the element is scrolled or resized. Returns a function that stops watching. */
export function watchView(element: HTMLElement, measure: () => void): () => void {
  const resized = new ResizeObserver(measure);
  resized.observe(element);
  element.addEventListener('scroll', measure, { passive: true });
  measure();
  return () => {
    resized.disconnect();
    element.removeEventListener('scroll', measure);
  };
}
