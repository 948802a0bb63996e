import type { JSX } from 'preact';
import { Button } from '../button.js';
import { EmptyState } from './empty-state.js';

/** What was asked for could not be read; it may be asked for again. */
export function Unreadable(props: { what: string; error: string; again: () => void }): JSX.Element {
  const { what, error, again } = props;
  return (
    <EmptyState
      icon="error"
      title={`${what} could not be read`}
      action={<Button onPress={again}>Try again</Button>}
    >
      <p>{error}</p>
    </EmptyState>
  );
}
