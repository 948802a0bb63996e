import type { JSX } from 'preact';
import { Button } from '../button.js';
import { EmptyState } from './empty-state.js';

export function Unreadable(props: { what: string; error: string; again: () => void }): JSX.Element {
  const { what, error, again } = props;
  return (
    <EmptyState
      icon="error"
      title={`${what} couldn't be read`}
      action={<Button onPress={again}>Try again</Button>}
    >
      <p>{error}</p>
    </EmptyState>
  );
}
