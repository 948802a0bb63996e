import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isRecord, readChildren, readText, type Values } from '../markup/read.js';
import { Icon } from '../parts/icon.js';

/** The markup as an outline: an element a line, its properties beside it. */
export function MarkupTree({ element }: { element: unknown }): JSX.Element {
  const roots = readChildren(element);
  if (roots.length === 0) return <p class="quiet">Nothing was drawn.</p>;
  return (
    <div class="json markup-tree" role="region" aria-label="Markup" tabIndex={0}>
      {roots.map((root, index) => (
        <TreeNode key={index} value={root} depth={0} />
      ))}
    </div>
  );
}

function TreeNode({ value, depth }: { value: unknown; depth: number }): JSX.Element {
  const [open, setOpen] = useState(depth < 6);
  if (!isRecord(value)) return <div class="json-row token-string">{JSON.stringify(value)}</div>;
  const { type, children, element, ...props } = value;
  const inner = [...readChildren(children), ...readChildren(element)];
  const head = <Head name={readText(type) ?? '?'} props={props} />;
  if (inner.length === 0) return <div class="json-row">{head}</div>;
  return (
    <div>
      <button type="button" class="json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class={open ? 'json-arrow open' : 'json-arrow'}>
          <Icon name="right" size={12} />
        </span>
        {head}
      </button>
      {open && (
        <div class="json-inner">
          {inner.map((child, index) => (
            <TreeNode key={index} value={child} depth={depth + 1} />
          ))}
        </div>
      )}
    </div>
  );
}

function Head({ name, props }: { name: string; props: Values }): JSX.Element {
  return (
    <span class="tree-head">
      <span class="json-key">{name}</span>
      {Object.entries(props).map(([key, value]) => (
        <span key={key} class="tree-prop">
          {' '}
          <span class="quiet">{key}=</span>
          <span class="token-string">{short(value)}</span>
        </span>
      ))}
    </span>
  );
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
