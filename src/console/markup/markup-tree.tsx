import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import { highlight, noteListed } from './element-nodes.js';
import { isRecord, readAction, readChildren, readText, type Values } from './basics/read-markup.js';
import { Icon } from '../ui/icon.js';

interface Marks {
  warnings: readonly MarkupProblem[];
  /** The name of the last action that failed. */
  failed: string | undefined;
}

export function MarkupTree({ element, ...marks }: { element: unknown } & Marks): JSX.Element {
  const roots = readChildren(element);
  useEffect(() => highlight, []);
  if (roots.length === 0) return <p class="quiet">Nothing was rendered.</p>;
  return (
    <div
      class="well json markup-tree"
      role="region"
      aria-label="Markup"
      tabIndex={0}
      onPointerLeave={() => highlight()}
      onFocusOut={() => highlight()}
    >
      {roots.map((root, index) => (
        <TreeNode key={index} value={root} depth={0} marks={marks} />
      ))}
    </div>
  );
}

function TreeNode({ value, depth, marks }: { value: unknown; depth: number; marks: Marks }): JSX.Element {
  const [open, setOpen] = useState(depth < 6);
  if (!isRecord(value)) return <div class="json-row token-string">{JSON.stringify(value)}</div>;
  const { type, children, ...props } = value;
  const inner = readChildren(children);
  const slots = Object.entries(props).filter(([, held]) => holdsElements(held));
  const own = Object.entries(props).filter(([, held]) => !holdsElements(held));
  const head = <Head name={readText(type) ?? '?'} props={own} marks={marks} />;
  if (inner.length === 0 && slots.length === 0)
    return (
      <Line element={value}>
        <div class="json-row">{head}</div>
      </Line>
    );
  return (
    <div>
      <Line element={value}>
        <button type="button" class="pick json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class={open ? 'json-arrow open' : 'json-arrow'}>
            <Icon name="right" size={12} />
          </span>
          {head}
        </button>
      </Line>
      {open && (
        <div class="json-inner">
          {slots.map(([name, held]) => (
            <div key={name}>
              <div class="json-row quiet">{name}</div>
              <div class="json-inner">
                {readChildren(held).map((child, index) => (
                  <TreeNode key={index} value={child} depth={depth + 2} marks={marks} />
                ))}
              </div>
            </div>
          ))}
          {inner.map((child, index) => (
            <TreeNode key={index} value={child} depth={depth + 1} marks={marks} />
          ))}
        </div>
      )}
    </div>
  );
}

function Line({ element, children }: { element: Values; children: JSX.Element }): JSX.Element {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    noteListed(element, line.current);
    return () => noteListed(element, null);
  }, [element]);
  return (
    <div
      ref={line}
      class="tree-line"
      onPointerEnter={() => highlight(element)}
      onFocusIn={() => highlight(element)}
    >
      {children}
    </div>
  );
}

/** Properties other than `children` can also contain elements, such as `element`, `buttons` and `submit`. */
const holdsElements = (value: unknown): boolean => {
  const held = readChildren(value);
  return held.length > 0 && held.every((one) => isRecord(one) && typeof one.type === 'string');
};

interface HeadProps {
  name: string;
  props: [string, unknown][];
  marks: Marks;
}

function Head({ name, props, marks: { warnings, failed } }: HeadProps): JSX.Element {
  const unknown = (property?: string): MarkupProblem | undefined =>
    warnings.find((one) => one.element === name && one.property === property);
  return (
    <span class="wrap-anywhere">
      <span class="json-key">{name}</span>
      <Unknown problem={unknown()} />
      {props.map(([key, value]) => (
        <span key={key} class="tree-prop" title={JSON.stringify(value)}>
          {' '}
          <span class="quiet">{key}=</span>
          <span class={typeof value === 'string' ? 'token-string' : 'token-word'}>{short(value)}</span>
          <Unknown problem={unknown(key)} />
          {failed !== undefined && readAction(value)?.action === failed && <Failed />}
        </span>
      ))}
    </span>
  );
}

function Unknown({ problem }: { problem: MarkupProblem | undefined }): JSX.Element | null {
  return problem ? (
    <span class="pill tree-mark warn" title={`${problem.message} ${problem.help}`}>
      unknown
    </span>
  ) : null;
}

function Failed(): JSX.Element {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => mark.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <span class="pill tree-mark bad" ref={mark}>
      failed
    </span>
  );
}

function short(value: unknown): string {
  const action = readAction(value);
  if (action) return Object.keys(action).length === 1 ? action.action : `${action.action} {…}`;
  const text = JSON.stringify(value) ?? '';
  if (text.length <= 44) return text;
  if (Array.isArray(value)) return `[${value.length}]`;
  return isRecord(value) ? '{…}' : `${text.slice(0, 41)}…`;
}
