import type { JSX } from 'preact';

interface IntegrationFacetProps {
  /** The integration of each entry, if the list shows those of several. */
  entries: readonly { integration?: string | undefined }[];
  /** Whether these are all entries, so that their number is shown. */
  counted?: boolean;
  value: string | undefined;
  onChoose: (integration: string | undefined) => void;
}

/** Limits a list of several integrations to one of them. */
export function IntegrationFacet({
  entries,
  counted = true,
  value,
  onChoose,
}: IntegrationFacetProps): JSX.Element | null {
  const counts = new Map<string, number>(value === undefined ? [] : [[value, 0]]);
  for (const { integration } of entries)
    if (integration !== undefined) counts.set(integration, (counts.get(integration) ?? 0) + 1);
  if (counts.size === 0) return null;
  return (
    <select
      class="control compact integration-facet"
      aria-label="Show only this integration"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
    >
      <option value="">All integrations</option>
      {[...counts]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, count]) => (
          <option key={name} value={name}>
            {counted ? `${name} (${count.toLocaleString('en')})` : name}
          </option>
        ))}
    </select>
  );
}

/** Whether an entry is of the chosen integration, or none is chosen. */
export const isOf =
  (chosen: string | undefined) =>
  ({ integration }: { integration?: string | undefined }): boolean =>
    chosen === undefined || integration === chosen;
