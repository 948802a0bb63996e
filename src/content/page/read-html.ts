import type { StateInline } from 'markdown-it';
import { isSafeAddress } from './safe-address.js';

/** An opening or closing tag of an HTML element. */
export interface HtmlTag {
  name: string;
  isClosing: boolean;
  values: ReadonlyMap<string, string>;
  /** The offset after the `>`. */
  end: number;
}

const element = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]{0,2000})?)>/iy;
const attribute = /(?:^|\s)([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi;

export function readHtmlTag(text: string, at: number): HtmlTag | undefined {
  element.lastIndex = at;
  const [found, closing, name = '', rest = ''] = element.exec(text) ?? [];
  if (found === undefined) return undefined;
  const values = new Map(
    [...rest.replace(/\/$/, '').matchAll(attribute)].map(([, key = '', ...value]) => [
      key.toLowerCase(),
      (value.find((one) => one !== undefined) ?? '').replace(/&(?:amp|#x26|#38);/gi, '&'),
    ]),
  );
  return { name: name.toLowerCase(), isClosing: closing === '/', values, end: at + found.length };
}

/** Returns a safe URL. */
export const addressIn = ({ values }: Pick<HtmlTag, 'values'>, key: string): string => {
  const address = values.get(key) ?? '';
  return isSafeAddress(address) ? address : '';
};

/** Returns the width of an image in pixels. */
export const widthIn = ({ values }: Pick<HtmlTag, 'values'>): { width?: number } => {
  const width = /^\d{1,4}$/.test(values.get('width') ?? '') ? Number(values.get('width')) : 0;
  return width > 0 ? { width } : {};
};

/** Elements that become formatting. */
const marks: Readonly<Record<string, string>> = {
  b: 'strong',
  strong: 'strong',
  em: 'emphasis',
  del: 'deleted',
  s: 'deleted',
  kbd: 'kbd',
  mark: 'mark',
  sub: 'sub',
  sup: 'sup',
};
const known = new Set(
  'abbr article aside blockquote br button caption center cite code dd details div dl dt figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img ins li main nav ol option p picture pre q section select small source span summary table tbody td tfoot th thead tr u ul video'.split(
    ' ',
  ),
);
const longestComment = 4000;
const icon = /<i class="fa-([a-z0-9-]{1,40})"[^<>]{0,100}>[^<>]{0,60}<\/i>/y;
const code = /<code>([^<>]{1,1000})<\/code>/iy;

/** Drops known HTML tags but keeps the text in them. Some of them are converted to Markdown or to formatting. */
export function takeHtml(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== '<') return false;
  if (src.startsWith('<!--', pos)) {
    const end = src.slice(pos, pos + longestComment).indexOf('-->');
    if (end < 0) return false;
    state.pos += end + 3;
    return true;
  }
  for (const [pattern, type] of [
    [icon, 'icon'],
    [code, 'code_inline'],
  ] as const) {
    pattern.lastIndex = pos;
    const [found, text = ''] = pattern.exec(src) ?? [];
    if (found === undefined) continue;
    if (!silent) state.push(type, '', 0).content = text;
    state.pos += found.length;
    return true;
  }
  const tag = readHtmlTag(src, pos);
  const isMark = tag && (tag.name === 'a' || Object.hasOwn(marks, tag.name));
  if (!tag || (!isMark && !known.has(tag.name))) return false;
  if (!silent && isMark) pushMark(state, tag);
  else if (!silent && !tag.isClosing) pushElement(state, tag);
  state.pos = tag.end;
  return true;
}

function pushMark(state: StateInline, tag: HtmlTag): void {
  const { name } = tag;
  if (tag.isClosing) {
    state.push('html_close', name, 0);
    return;
  }
  const [, button] =
    /(?:^|\s)button(?:\s+(primary|secondary))?(?:\s|$)/.exec(tag.values.get('class') ?? '') ?? [];
  const isButton = button !== undefined || tag.values.get('class') === 'button';
  const token = state.push('html_open', name, 0);
  token.meta =
    name === 'a'
      ? { kind: 'link', url: addressIn(tag, 'href'), ...(isButton && { button: button ?? 'primary' }) }
      : { kind: marks[name], ...(name === 'mark' && colorsIn(tag.values.get('style') ?? '')) };
}

function pushElement(state: StateInline, tag: HtmlTag): void {
  const { name } = tag;
  const isLater = state.tokens.length > 0;
  if (name === 'br' || (isLater && (name === 'p' || name === 'li'))) state.push('hardbreak', 'br', 0);
  if (name === 'li') state.push('text', '', 0).content = '• ';
  if (name === 'img')
    state.push('html_image', name, 0).meta = {
      url: addressIn(tag, 'src'),
      alt: tag.values.get('alt') ?? '',
      ...widthIn(tag),
    };
}

/** The colors of the product's editor, as meanings that also work with a dark background. */
const tones: Readonly<Record<string, string>> = {
  red: 'bad',
  danger: 'bad',
  green: 'ok',
  success: 'ok',
  orange: 'warn',
  yellow: 'warn',
  warning: 'warn',
  blue: 'info',
  info: 'info',
  purple: 'accent',
  primary: 'accent',
};

function colorsIn(style: string): { tone: string; isFilled: boolean } {
  const [, background, color = 'yellow'] =
    /(background-)?color:\s*\$?([a-z]{1,20})/.exec(style) ?? (style === '' ? ['', 'background-'] : []);
  return {
    tone: (Object.hasOwn(tones, color) && tones[color]) || 'accent',
    isFilled: background !== undefined,
  };
}
