import type { ComponentChildren, JSX } from 'preact';
import { plainText } from '../../../protocol/page/page-text.js';
import type { ContainerNode, FenceNode, PageBlock } from '../../../protocol/page/page-tree.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Code } from '../code/code.js';
import { ApiOperationView } from './api-operation.js';
import { drawItem, drawNodes, type NodeLook } from './draw-nodes.js';
import { TabSet } from './tab-set.js';

/** The page or file that a card points to. */
export interface Reference {
  title: string;
  text?: string | undefined;
  href?: string | undefined;
}

export interface NativeLook extends NodeLook {
  refer(url: string): Reference | undefined;
  /** Returns how the content of another file looks, whose links are relative to it. */
  within(file: string): NativeLook;
  /** Renders what is shown if the condition holds, and if it does not. Returns undefined if it cannot be evaluated. */
  condition?(text: string, branches: readonly (readonly PageBlock[])[]): ComponentChildren;
}

interface NativeProps {
  node: ContainerNode;
  look: NativeLook;
}

/** Renders one of the product's own blocks as elements, without any script. */
export function NativeBlock({ node, look }: NativeProps): JSX.Element {
  const { name, attributes, children } = node;
  const inside = <div class="flow">{drawNodes(children, look)}</div>;
  switch (name) {
    case 'hint':
      return <Hint node={node} look={look} />;
    case 'tabs':
      return <Tabs node={node} look={look} />;
    case 'stepper':
      return (
        <ol class="stepper">
          {children.map((child, at) => (
            <li key={at}>
              <div class="flow">{drawNodes(partsOf(child), look)}</div>
            </li>
          ))}
        </ol>
      );
    case 'columns':
      return (
        <div class="columns">
          {children.map((child, at) => (
            <div key={at} class="flow" style={{ flexGrow: String(spanOf(child)) }}>
              {drawNodes(partsOf(child), look)}
            </div>
          ))}
        </div>
      );
    case 'updates':
      return (
        <div class="updates">
          {children.map((child, at) => (
            <section key={at} class="update">
              <UpdateHead node={child} />
              <div class="flow">{drawNodes(partsOf(child), look)}</div>
            </section>
          ))}
        </div>
      );
    case 'if': {
      const condition = textOf(attributes['condition']);
      const otherwise = children.findIndex((one) => one.kind === 'container' && one.name === 'else');
      const branches =
        otherwise < 0 ? [children] : [children.slice(0, otherwise), children.slice(otherwise + 1)];
      const evaluated = look.condition?.(condition, branches);
      if (evaluated !== undefined) return <>{evaluated}</>;
      return (
        <div class="dashed condition">
          <p class="quiet small">
            Shown if <code>{condition}</code>
          </p>
          {inside}
        </div>
      );
    }
    case 'else':
      return <p class="quiet small">Otherwise</p>;
    case 'details':
      return <Fold node={node} look={look} />;
    case 'figure': {
      const width = Number(attributes['width']) || undefined;
      return (
        <figure>
          {look.image(textOf(attributes['url']), textOf(attributes['alt']), width)}
          {children.length > 0 && <figcaption>{drawItem(children, look)}</figcaption>}
        </figure>
      );
    }
    case 'note':
      return (
        <div class="note" id={look.linksNotes && `note-${textOf(attributes['number'])}`}>
          <span>{textOf(attributes['number'])}.</span>
          <div class="flow">{drawNodes(children, look)}</div>
        </div>
      );
    case 'prompt':
      return (
        <div class="well page-code">
          <div class="bar m-code-head quiet">
            <span>{textOf(attributes['description']) || 'Prompt'}</span>
          </div>
          <div class="prompt-text">{inside}</div>
        </div>
      );
    case 'content-ref':
    case 'page-ref':
    case 'file':
      return <ReferenceCard node={node} look={look} />;
    case 'include':
      return typeof attributes['file'] === 'string' ? (
        <div class="flow">{drawNodes(children, look.within(attributes['file']))}</div>
      ) : (
        <p class="dashed other-tag">
          <code>include</code> {textOf(attributes['problem'])}
        </p>
      );
    default:
      return /^(?:openapi|swagger)/.test(name) ? <ApiOperationView node={node} look={look} /> : inside;
  }
}

function Fold({ node: { attributes, children }, look }: NativeProps): JSX.Element {
  const [summary, ...rest] = children;
  const hasSummary = summary?.kind === 'container' && summary.name === 'summary';
  return (
    <details
      class="card fold"
      id={look.linksNotes && (textOf(attributes['anchor']) || undefined)}
      open={attributes['open'] === true}
    >
      <summary class="bar">
        <Icon name="right" />
        <span>{hasSummary ? drawItem(summary.children, look) : 'Details'}</span>
      </summary>
      <div class="flow">{drawNodes(hasSummary ? rest : children, look)}</div>
    </details>
  );
}

const EmbedIcon = ({ name }: { name: IconName }): JSX.Element => (
  <span class="tile embed-icon">
    <Icon name={name} size={18} />
  </span>
);

/** A link that no block unfurls. */
export function EmbedCard({ href, caption }: { href: string; caption: string }): JSX.Element {
  const { host, pathname } = new URL(href);
  return (
    <a class="bar card embed" href={href} target="_blank" rel="noopener noreferrer">
      <EmbedIcon name="globe" />
      <span class="grow embed-text">
        <strong>{caption || host}</strong>
        <span class="quiet">{host + pathname.replace(/^\/$/, '')}</span>
      </span>
      <Icon name="external" />
    </a>
  );
}

/** The titles of code from which readers expect a diagram. */
const drawings: Readonly<Record<string, string>> = { mermaid: 'Mermaid diagram' };

/** A code block with its title. `action` is shown next to it. */
export function CodeBlock({ node, action }: { node: FenceNode; action?: JSX.Element }): JSX.Element {
  const { language, text } = node;
  const title = node.title ?? (Object.hasOwn(drawings, language) ? drawings[language] : undefined);
  return (
    <div class={node.wrap ? 'well page-code wrapped' : 'well page-code'}>
      {(title ?? action) && (
        <div class={title ? 'bar m-code-head' : 'bar m-code-head code-corner'}>
          <span class="cut">{title}</span>
          {action}
        </div>
      )}
      <Code
        text={text}
        label={title ?? (language ? `${language} code` : 'Code')}
        isDiff={language === 'diff'}
        {...(node.lineNumbers && { firstLine: 1 })}
      />
    </div>
  );
}

const hints: Readonly<Record<string, [icon: IconName, label: string, tone: string]>> = {
  info: ['info', 'Info', 'info'],
  success: ['check-circle', 'Success', 'ok'],
  warning: ['warning', 'Warning', 'warn'],
  danger: ['error', 'Danger', 'bad'],
};

function Hint({ node, look }: NativeProps): JSX.Element {
  const style = textOf(node.attributes['style']);
  const [icon, label, tone] = (Object.hasOwn(hints, style) && hints[style]) || ['info', 'Info', 'info'];
  return (
    <aside class="hint" data-tone={tone} role="note">
      <Icon name={icon} size={18} label={label} />
      <div class="flow">{drawNodes(node.children, look)}</div>
    </aside>
  );
}

function Tabs({ node, look }: NativeProps): JSX.Element {
  const isTab = (child: PageBlock): child is ContainerNode =>
    child.kind === 'container' && child.name === 'tab';
  return (
    <TabSet
      name={`tabs-${node.start}`}
      tabs={node.children.filter(isTab).map(({ attributes, children }, at) => ({
        title: textOf(attributes['title']) || `Tab ${at + 1}`,
        content: drawNodes(children, look),
      }))}
    >
      {drawNodes(
        node.children.filter((child) => !isTab(child)),
        look,
      )}
    </TabSet>
  );
}

function UpdateHead({ node }: { node: PageBlock }): JSX.Element | null {
  if (node.kind !== 'container') return null;
  const date = textOf(node.attributes['date']);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date) ? new Date(`${date}T12:00:00Z`) : undefined;
  const isDay = day !== undefined && !Number.isNaN(day.getTime());
  return (
    <div class="wrap update-head">
      <time dateTime={isDay ? date : undefined}>
        {isDay ? day.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' }) : date}
      </time>
      {textOf(node.attributes['tags'])
        .split(',')
        .filter((tag) => tag.trim() !== '')
        .map((tag) => (
          <span key={tag} class="pill" data-tone="accent">
            {tag.trim()}
          </span>
        ))}
    </div>
  );
}

function ReferenceCard({ node, look }: NativeProps): JSX.Element {
  const url = textOf(node.attributes['url']);
  const found = url === '' ? undefined : look.refer(url);
  const caption = captionOf(node);
  const isFile = node.name === 'file';
  const title = (isFile && caption) || found?.title || caption || url || 'Nothing to show';
  const text = found
    ? found.title === title
      ? found.text
      : (found.text ?? found.title)
    : 'This file is missing.';
  const card = (
    <>
      <EmbedIcon name={isFile ? 'file' : found ? 'pages' : 'warning'} />
      <span class="grow embed-text">
        <strong>{title}</strong>
        {text !== undefined && text !== '' && <span class="quiet">{text}</span>}
      </span>
      {found && <Icon name={isFile ? 'download' : 'right'} />}
    </>
  );
  return found?.href === undefined ? (
    <div class="bar card embed">{card}</div>
  ) : (
    <a class="bar card embed" href={found.href}>
      {card}
    </a>
  );
}

/** Returns what is inside a step, column or update. Other content in its place is kept. */
const partsOf = (child: PageBlock): readonly PageBlock[] =>
  child.kind === 'container' && parts.has(child.name) ? child.children : [child];
const parts = new Set(['step', 'column', 'update']);

/** Returns a column's width in twelfths of the page. */
function spanOf(child: PageBlock): number {
  const width = child.kind === 'container' ? textOf(child.attributes['width']) : '';
  const percent = /^\d{1,3}(?:\.\d{1,20})?%$/.test(width) ? Number.parseFloat(width) : 50;
  return percent < 29 ? 3 : percent < 46 ? 4 : percent < 55 ? 6 : percent < 71 ? 8 : 9;
}

const captionOf = ({ children }: ContainerNode): string =>
  children
    .map((child) => (child.kind === 'paragraph' ? plainText(child.children) : ''))
    .join(' ')
    .trim();

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
