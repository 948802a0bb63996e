import type { JSX } from 'preact';

/** A placeholder shown while data is loading. Screen readers do not announce it if loading is quick. */
export function LoadingState({ lines = 3 }: { lines?: number }): JSX.Element {
  return (
    <div class="stack loading" role="status" aria-busy="true">
      <span class="only-read-aloud">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}
