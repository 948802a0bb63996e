import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isRecord, readAction, readChildren, readText } from '../markup/read-markup.js';
import { Icon } from '../ui/icon.js';

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
  const { type, children, ...props } = value;
  const inner = readChildren(children);
  const slots = Object.entries(props).filter(([, held]) => holdsElements(held));
  const own = Object.entries(props).filter(([, held]) => !holdsElements(held));
  const head = <Head name={readText(type) ?? '?'} props={own} />;
  if (inner.length === 0 && slots.length === 0) return <div class="json-row">{head}</div>;
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
          {slots.map(([name, held]) => (
            <div key={name}>
              <div class="tree-slot">{name}</div>
              <div class="json-inner">
                {readChildren(held).map((child, index) => (
                  <TreeNode key={index} value={child} depth={depth + 2} />
                ))}
              </div>
            </div>
          ))}
          {inner.map((child, index) => (
            <TreeNode key={index} value={child} depth={depth + 1} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Elements stand in other properties than `children` too: `element`, `buttons`, `submit`. */
const holdsElements = (value: unknown): boolean => {
  const held = readChildren(value);
  return held.length > 0 && held.every((one) => isRecord(one) && typeof one.type === 'string');
};

function Head({ name, props }: { name: string; props: [string, unknown][] }): JSX.Element {
  return (
    <span class="tree-head">
      <span class="json-key">{name}</span>
      {props.map(([key, value]) => (
        <span key={key} class="tree-prop" title={JSON.stringify(value)}>
          {' '}
          <span class="quiet">{key}=</span>
          <span class={typeof value === 'string' ? 'token-string' : 'token-word'}>{short(value)}</span>
        </span>
      ))}
    </span>
  );
}

/** Of an action its name; of anything long its beginning. */
function short(value: unknown): string {
  const action = readAction(value);
  if (action) return Object.keys(action).length === 1 ? action.action : `${action.action} {…}`;
  const text = JSON.stringify(value) ?? '';
  if (text.length <= 44) return text;
  if (Array.isArray(value)) return `[${value.length}]`;
  return isRecord(value) ? '{…}' : `${text.slice(0, 41)}…`;
}
