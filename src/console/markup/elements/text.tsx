import type { JSX } from 'preact';
import { resolveState } from '../../../protocol/markup/resolve-state.js';
import { MarkdownView } from '../../text/markdown/markdown-view.js';
import { safeLink } from '../../text/safe-url.js';
import { useMarkup } from '../basics/markup-context.js';
import { readAddress, readList, readRecord, readText } from '../basics/read-markup.js';
import type { ElementProps } from './layout.js';

export function TextElement({ element }: ElementProps): JSX.Element {
  const { draw } = useMarkup();
  const styles = readList(element.style);
  const has = (style: string): boolean => styles.includes(style);
  let content = <>{draw(element.children)}</>;
  if (has('code')) content = <code>{content}</code>;
  if (has('bold')) content = <strong>{content}</strong>;
  if (has('italic')) content = <em>{content}</em>;
  if (has('strikethrough')) content = <s>{content}</s>;
  return <span class="m-text">{content}</span>;
}

export function MarkdownElement({ element }: ElementProps): JSX.Element {
  const { base, state } = useMarkup();
  return <MarkdownView source={readText(resolveState(element.content, state)) ?? ''} base={base} />;
}

export function LinkElement({ element }: ElementProps): JSX.Element {
  const { draw, base, state } = useMarkup();
  const url = readAddress(
    resolveState(readRecord(element.target).url ?? element.href, state),
    location.protocol,
  );
  const href = safeLink(url, base);
  const content = draw(element.children);
  if (!href) {
    return (
      <span
        class="m-text"
        title="The link wasn't opened because only http, https and mailto URLs are allowed."
      >
        {content}
      </span>
    );
  }
  return (
    <a class="m-link wrap-anywhere" href={href} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  );
}
