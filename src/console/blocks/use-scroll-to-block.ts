import { useEffect, useRef } from 'preact/hooks';

/** Scrolls to the block in the URL, and keeps it in view while the blocks above it are being rendered. */
export function useScrollToBlock(
  block: string | undefined,
  loaded: boolean,
): { noteClick(id: string): void } {
  const clicked = useRef<string>(undefined);
  useEffect(() => {
    const node =
      block === undefined || clicked.current === block ? null : document.getElementById(`block-${block}`);
    if (!node?.parentElement) return;
    const observer = new ResizeObserver(() => node.scrollIntoView({ block: 'start' }));
    observer.observe(node.parentElement);
    const done = new AbortController();
    done.signal.addEventListener('abort', () => observer.disconnect());
    // From this point on, the user controls scrolling.
    for (const type of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
      addEventListener(type, () => done.abort(), { signal: done.signal, passive: true });
    return () => done.abort();
  }, [block, loaded]);
  return {
    noteClick(id) {
      clicked.current = id;
    },
  };
}
