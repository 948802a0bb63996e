import type { JSX } from 'preact';

/** A placeholder that is shown while data is loading. If loading is quick, screen readers do not announce it. */
export function LoadingState({ lines = 3 }: { lines?: number }): JSX.Element {
  return (
    <div class="loading" role="status" aria-busy="true">
      <span class="only-read-aloud">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}
