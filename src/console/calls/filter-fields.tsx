import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { installedIn, targetKey } from '../live/where-installed.js';
import { Field } from '../ui/form/field.js';
import type { FilterName } from '../../contract/basics/call-filters.js';
import type { CallFilter } from '../api/call-filter.js';
import { eventTypes } from './compose/event-schemas.js';
import { TypedInput } from './typed-input.js';

interface FilterFieldsProps {
  filter: CallFilter;
  platform: PlatformResource;
  set: (change: { [Name in FilterName]?: string }) => void;
}

interface Choices {
  name: FilterName;
  label: string;
  all: string;
  options: readonly [value: string, title: string][];
}

interface Text {
  name: FilterName;
  label: string;
  placeholder: string;
}

const choices = {
  type: {
    name: 'type',
    label: 'Type',
    all: 'All types',
    options: [...eventTypes, 'script'].map((type) => [type, type]),
  },
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
  method: {
    name: 'method',
    label: 'Method',
    all: 'All methods',
    options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => [method, method]),
  },
} satisfies Record<string, Choices>;

const common: readonly (Choices | Text)[] = [
  choices.type,
  { name: 'path', label: 'Path', placeholder: '/webhook' },
  { name: 'status', label: 'Status', placeholder: '404 or 5xx' },
  { name: 'reason', label: 'Error or warning', placeholder: 'TypeError' },
  choices.since,
];

const moreOfCall: readonly (Choices | Text)[] = [
  choices.source,
  choices.method,
  { name: 'component', label: 'Component', placeholder: 'ticket, or -ticket' },
  { name: 'current', label: 'Version', all: 'All versions', options: [['true', 'Since the last save']] },
];

const moreOfResult: readonly (Choices | Text)[] = [
  { name: 'at', label: 'File or line', placeholder: 'src/index.ts:12' },
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
  'installation',
  'until',
];

/** The most common filters, and all others once they are asked for. A filter that is set is always shown. */
export function FilterFields({ filter, platform, set }: FilterFieldsProps): JSX.Element {
  const [more, setMore] = useState(() => behindMore.some((name) => filter[name] !== undefined));
  const id = useId();
  const field = (one: Choices | Text): JSX.Element =>
    'options' in one ? (
      <Choice
        key={one.name}
        label={one.label}
        value={filter[one.name] ?? ''}
        onChoose={(value) => set({ [one.name]: value })}
      >
        <option value="">{one.all}</option>
        {one.options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
        {one.name === 'since' && filter.since?.includes('T') && (
          <option value={filter.since}>Since the list was cleared</option>
        )}
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
        {common.map(field)}
        <TargetChoice filter={filter} platform={platform} set={set} />
      </div>
      <button
        type="button"
        class="text-button small"
        aria-expanded={more}
        aria-controls={`${id}-more`}
        onClick={() => setMore(!more)}
      >
        {more ? 'Fewer filters' : 'More filters'}
      </button>
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
