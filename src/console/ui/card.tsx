import type { ComponentChildren, JSX } from 'preact';

interface CardProps {
  title: string;
  tone?: 'bad' | undefined;
  actions?: ComponentChildren;
  /** Whether the content extends to the edge of the card. */
  flush?: boolean;
  children: ComponentChildren;
}

export function Card({ title, tone, actions, flush, children }: CardProps): JSX.Element {
  return (
    <section class={tone ? `card ${tone}` : 'card'}>
      <header class="bar card-head">
        <h2 class="grow">{title}</h2>
        {actions}
      </header>
      <div class={flush ? 'card-body flush' : 'card-body'}>{children}</div>
    </section>
  );
}
