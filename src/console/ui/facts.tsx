import type { JSX } from 'preact';

export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: string])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="mono wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
