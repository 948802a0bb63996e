import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { allIntegrations } from '../../protocol/integration.js';
import { installedIn, targetKey } from '../live/where-installed.js';
import { Field } from '../ui/form/field.js';
import type { FilterName } from '../../contract/basics/call-filters.js';
import type { CallLine } from '../../contract/routes/calls.js';
import { api } from '../api/fetch-api.js';
import type { FilterTexts } from '../api/call-filter.js';
import { mostRead, recentValues } from './recent-values.js';
import { TypedInput } from './typed-input.js';

interface FilterFieldsProps {
  filter: FilterTexts;
  platform: PlatformResource;
  set: (change: { [Name in FilterName]?: string }) => void;
}

interface Choices {
  name: FilterName;
  label: string;
  all: string;
  /** Defaults to the values that occur in calls. */
  options?: readonly [value: string, title: string][];
}

interface Text {
  name: FilterName;
  label: string;
  placeholder: string;
}

const choices = {
  type: { name: 'type', label: 'Type', all: 'All types' },
  since: {
    name: 'since',
    label: 'Time',
    all: 'Any time',
    options: [
      ['1m', 'Last minute'],
      ['5m', 'Last 5 minutes'],
      ['15m', 'Last 15 minutes'],
      ['1h', 'Last hour'],
      ['1d', 'Last 24 hours'],
    ],
  },
  source: {
    name: 'source',
    label: 'Source',
    all: 'All sources',
    options: [
      ['request', 'HTTP requests'],
      ['event', 'Platform events'],
      ['script', 'Output between calls'],
    ],
  },
  method: { name: 'method', label: 'Method', all: 'All methods' },
} satisfies Record<string, Choices>;

const ofSeveral: Choices = { name: 'integration', label: 'Integration', all: 'All integrations' };

const common: readonly (Choices | Text)[] = [
  choices.type,
  { name: 'path', label: 'Path', all: 'All paths' },
  { name: 'status', label: 'Status', all: 'All statuses' },
  { name: 'reason', label: 'Error or warning', all: 'All calls' },
  choices.since,
];

const moreOfCall: readonly (Choices | Text)[] = [
  choices.source,
  choices.method,
  { name: 'component', label: 'Component', all: 'All components' },
  { name: 'current', label: 'Version', all: 'All versions', options: [['true', 'Since the last save']] },
];

const moreOfResult: readonly (Choices | Text)[] = [
  { name: 'at', label: 'File or line', all: 'All lines' },
  { name: 'host', label: 'Outbound host', placeholder: 'api.example.com' },
  { name: 'warnings', label: 'Warnings', all: 'All calls', options: [['true', 'With a warning']] },
  { name: 'near', label: 'Limits', all: 'All calls', options: [['true', 'Near a limit']] },
  { name: 'slower', label: 'Slower than (ms)', placeholder: '200' },
];

const behindMore: readonly FilterName[] = [...moreOfCall, ...moreOfResult].map(({ name }) => name);

/** The filters that have a field in the panel. */
export const fieldNames: readonly FilterName[] = [
  ...common.map(({ name }) => name),
  ...behindMore,
  'integration',
  'installation',
  'until',
];

/** The most common filters, and the others on request. Filters that are set are always shown. */
export function FilterFields({ filter, platform, set }: FilterFieldsProps): JSX.Element {
  const [more, setMore] = useState(() => behindMore.some((name) => filter[name] !== undefined));
  const id = useId();
  const lines = useRecentCalls(true);
  const field = (one: Choices | Text): JSX.Element =>
    'all' in one ? (
      <Choice
        key={one.name}
        label={one.label}
        value={filter[one.name] ?? ''}
        onChoose={(value) => set({ [one.name]: value })}
      >
        <option value="">{one.all}</option>
        {optionsOf(one, filter, lines).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </Choice>
    ) : (
      <Field key={one.name} label={one.label}>
        {(ids) => (
          <TypedInput
            ids={ids}
            name={one.name}
            class="control compact"
            placeholder={one.placeholder}
            value={filter[one.name]}
            onType={(text) => set({ [one.name]: text.trim() })}
          />
        )}
      </Field>
    );
  return (
    <div class="filter-groups">
      <div class="filter-fields">
        {platform.integration.name === allIntegrations && field(ofSeveral)}
        {common.map(field)}
        <TargetChoice filter={filter} platform={platform} set={set} />
        <button
          type="button"
          class="text-button small"
          aria-expanded={more}
          aria-controls={`${id}-more`}
          onClick={() => setMore(!more)}
        >
          {more ? 'Fewer filters' : 'More filters'}
        </button>
      </div>
      <div id={`${id}-more`} hidden={!more}>
        <fieldset class="filter-fields">
          <legend>Call</legend>
          {moreOfCall.map(field)}
        </fieldset>
        <fieldset class="filter-fields">
          <legend>Result</legend>
          {moreOfResult.map(field)}
        </fieldset>
      </div>
    </div>
  );
}

/** The latest calls when the filters were first used, whose values are offered. */
export function useRecentCalls(wanted: boolean): readonly CallLine[] {
  const [lines, setLines] = useState<readonly CallLine[]>([]);
  useEffect(() => {
    if (!wanted) return;
    api('GET /calls', { limit: mostRead }).then(setLines, () => {
      // Not reported here, because the list already shows that the platform is not responding.
    });
  }, [wanted]);
  return lines;
}

/** Returns the values to choose from, including the current one, which may have been typed. */
function optionsOf(
  { name, options }: Choices,
  filter: FilterTexts,
  lines: readonly CallLine[],
): readonly (readonly [value: string, title: string])[] {
  const value = filter[name];
  // The counts include all calls, so they would be wrong for a list that is also filtered by another field.
  const isOnly = Object.keys(filter).every((one) => one === name);
  const found =
    options ??
    (recentValues(name, lines) ?? []).map(
      ([one, calls]) =>
        [one, calls === undefined || !isOnly ? one : `${one} (${calls.toLocaleString('en')})`] as const,
    );
  if (value === undefined || found.some(([one]) => one === value)) return found;
  const isCleared = name === 'since' && value.includes('T');
  return [...found, [value, isCleared ? 'Since the list was cleared' : value]];
}

interface ChoiceProps {
  label: string;
  value: string;
  onChoose: (value: string) => void;
  children: ComponentChildren;
}

const Choice = ({ label, value, onChoose, children }: ChoiceProps): JSX.Element => (
  <Field label={label}>
    {(ids) => (
      <select
        {...ids}
        class="control compact"
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {children}
      </select>
    )}
  </Field>
);

const kinds = { organization: '', site: 'Site: ', space: 'Space: ' };

function TargetChoice({ filter, platform, set }: FilterFieldsProps): JSX.Element {
  const targets = installedIn(platform);
  const { installation, site, space } = filter;
  const value =
    installation === undefined
      ? ''
      : targetKey({
          installation,
          ...(site !== undefined && { site }),
          ...(space !== undefined && { space }),
        });
  return (
    <Choice
      label="Target"
      value={value}
      onChoose={(key) => {
        const { target } = targets.find((one) => targetKey(one.target) === key) ?? {};
        set({
          installation: target?.installation ?? '',
          site: target?.site ?? '',
          space: target?.space ?? '',
        });
      }}
    >
      <option value="">All targets</option>
      {targets.map(({ target, kind, title }) => (
        <option key={targetKey(target)} value={targetKey(target)}>
          {kinds[kind] + title}
        </option>
      ))}
    </Choice>
  );
}
