import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../ui/icon.js';
import { showControls } from './show-controls.js';

interface JsonViewProps {
  value: unknown;
  label: string;
  /** The number of levels that are expanded at first. */
  open?: number;
}

const pageSize = 100;
const longest = 2000;

/** Shows JSON as a tree. Only expanded branches are rendered. */
export function JsonView({ value, label, open = 2 }: JsonViewProps): JSX.Element {
  return (
    <div class="well json" dir="ltr" role="region" aria-label={label} tabIndex={0}>
      <Node value={value} open={open} />
    </div>
  );
}

interface NodeProps {
  name?: string;
  value: unknown;
  open: number;
}

function Node({ name, value, open }: NodeProps): JSX.Element {
  if (typeof value === 'object' && value !== null)
    return <Branch {...(name !== undefined && { name })} value={value} open={open} />;
  return (
    <div class="json-row">
      {name !== undefined && <Key name={name} />}
      <Leaf value={value} />
    </div>
  );
}

function Branch({ name, value, open }: NodeProps & { value: object }): JSX.Element {
  const [isOpen, setOpen] = useState(open > 0);
  const [shown, setShown] = useState(pageSize);
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  const [start, end] = list ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0)
    return (
      <div class="json-row">
        {name !== undefined && <Key name={name} />}
        <span class="quiet">{`${start}${end}`}</span>
      </div>
    );
  return (
    <div class="json-branch">
      <button type="button" class="pick json-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class={isOpen ? 'json-arrow open' : 'json-arrow'}>
          <Icon name="right" size={12} />
        </span>
        {name !== undefined && <Key name={name} />}
        <span class="quiet">
          {start}
          {!isOpen && ` ${entries.length} ${list ? 'items' : entries.length === 1 ? 'key' : 'keys'} ${end}`}
        </span>
      </button>
      {isOpen && (
        <div class="json-inner">
          {entries.slice(0, shown).map(([key, inner]) => (
            <Node key={key} name={key} value={inner} open={open - 1} />
          ))}
          {shown < entries.length && (
            <button type="button" class="text-button" onClick={() => setShown(shown + pageSize * 5)}>
              Show more ({entries.length - shown} left)
            </button>
          )}
        </div>
      )}
      {isOpen && <div class="json-row quiet">{end}</div>}
    </div>
  );
}

const Key = ({ name }: { name: string }): JSX.Element => (
  <>
    <span class="json-key">{showControls(name)}</span>
    <span class="quiet">: </span>
  </>
);

function Leaf({ value }: { value: unknown }): JSX.Element {
  const [whole, setWhole] = useState(false);
  if (typeof value !== 'string')
    return <span class={typeof value === 'number' ? 'token-number' : 'token-word'}>{String(value)}</span>;
  if (value.length <= longest || whole)
    return <span class="token-string">{showControls(JSON.stringify(value))}</span>;
  return (
    <span class="token-string">
      {showControls(JSON.stringify(value.slice(0, longest)))}
      <button type="button" class="text-button" onClick={() => setWhole(true)}>
        Show all {value.length} characters
      </button>
    </span>
  );
}
