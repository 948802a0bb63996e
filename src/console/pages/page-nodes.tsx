import { decodePath } from '../../base/text/decode-path.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageLine, PageResource } from '../../contract/routes/content.js';
import type { FenceNode, TagNode } from '../../protocol/page/page-tree.js';
import { api } from '../api/fetch-api.js';
import { GoLink } from '../shell/navigation.js';
import { CodeBlock, EmbedCard, NativeBlock, type NativeLook } from '../text/markdown/native-block.js';
import { safeImage, safeLink } from '../text/safe-url.js';
import { Icon } from '../ui/icon.js';

interface PageLookOptions {
  page: PageResource;
  pages: readonly PageLine[];
  /** Renders one of the integration's blocks. Returns undefined for other tags and code fences. */
  block: (node: TagNode | FenceNode) => JSX.Element | undefined;
  integration: string;
}

/** An origin that no page can have, used as the base for links between files. */
const inside = 'http://folder.invalid';

/** Renders a page as its author sees it. Headings start one level below the page title. */
export function pageLook(options: PageLookOptions, within = options.page.file ?? ''): NativeLook {
  const { page, pages, block, integration } = options;
  const base = `${inside}/${within.split('/').map(encodeURIComponent).join('/')}`;
  const fileOf = (href: string): string | undefined =>
    href.startsWith(`${inside}/`) ? decodePath(new URL(href).pathname.slice(1)) : undefined;

  const look: NativeLook = {
    container: (node) => <NativeBlock node={node} look={look} />,
    refer(url) {
      const file = fileOf(safeLink(url, base) ?? '');
      const target = pages.find((one) => one.file !== undefined && one.file === file);
      return { title: target?.title ?? file ?? url, text: target?.description };
    },
    within: (file) => pageLook(options, file),
    heading({ level }, children) {
      const Heading = `h${Math.min(6, Math.max(3, level + 1))}` as 'h3';
      return <Heading>{children}</Heading>;
    },
    code: (node) => block(node) ?? <CodeBlock node={node} />,
    link(url, children, className) {
      const href = safeLink(url, base);
      const file = href === undefined ? undefined : fileOf(href);
      if (href !== undefined && file === undefined)
        return (
          <a class={className} href={href} target="_blank" rel="noopener noreferrer">
            {children}
          </a>
        );
      const target = pages.find((one) => one.file !== undefined && one.file === file);
      return target ? (
        <GoLink to={{ view: 'pages', space: page.space, page: target.id }} class={className ?? ''}>
          {children}
        </GoLink>
      ) : (
        <span title={`This link points to a page that doesn't exist: ${url}`}>{children}</span>
      );
    },
    image(url, alt, width) {
      const source = safeImage(url, base);
      if (source === undefined) return alt;
      const file = fileOf(source);
      if (file !== undefined) return <FolderImage space={page.space} path={file} alt={alt} width={width} />;
      return source.startsWith('data:') ? (
        <img src={source} alt={alt} width={width} />
      ) : (
        <RemoteImage source={source} alt={alt} />
      );
    },
    tag: (tag) => block(tag) ?? <OtherTag tag={tag} integration={integration} />,
  };
  return look;
}

function OtherTag({ tag, integration }: { tag: TagNode; integration: string }): JSX.Element {
  const href = tag.type === 'embed' ? safeLink(tag.url, inside) : undefined;
  if (tag.type === 'embed' && href !== undefined) return <EmbedCard href={href} caption={tag.caption} />;
  if (tag.type === 'block')
    return (
      <p class="dashed page-other">
        <code>
          {tag.integration}/{tag.component}
        </code>{' '}
        {tag.integration === integration
          ? "isn't a block in the manifest."
          : 'belongs to another integration.'}
      </p>
    );
  return (
    <p class="dashed page-other">
      <code>{tag.type === 'other' ? tag.name : 'embed'}</code> {tag.type === 'other' && tag.problem}
    </p>
  );
}

const imageTypes: Record<string, string | undefined> = {
  avif: 'avif',
  gif: 'gif',
  jpeg: 'jpeg',
  jpg: 'jpeg',
  png: 'png',
  svg: 'svg+xml',
  webp: 'webp',
};
const mostImageBytes = 5_000_000;

/** An image in the folder, which can be read only with the console's key. */
function FolderImage({
  space,
  path,
  alt,
  width,
}: {
  space: string;
  path: string;
  alt: string;
  width: number | undefined;
}): JSX.Element {
  const [source, setSource] = useState<string>();
  const type = imageTypes[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  useEffect(() => {
    let gone = false;
    if (type === undefined) return undefined;
    api('GET /content/file', { space, path }).then(
      (bytes) => {
        if (gone || bytes.byteLength > mostImageBytes) return;
        const reader = new FileReader();
        reader.addEventListener('load', () => {
          if (!gone && typeof reader.result === 'string') setSource(reader.result);
        });
        reader.readAsDataURL(new Blob([new Uint8Array(bytes)], { type: `image/${type}` }));
      },
      // The alternative text is still shown.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [space, path]);
  return source === undefined ? (
    <span class="dashed page-other">
      <Icon name="image" /> {alt || path}
    </span>
  ) : (
    <img src={source} alt={alt} width={width} />
  );
}

/** Loading the image would reveal to its server who is reading which page, so the reader decides whether to load it. */
function RemoteImage({ source, alt }: { source: string; alt: string }): JSX.Element {
  const [shown, setShown] = useState(false);
  if (shown) return <img src={source} alt={alt} referrerpolicy="no-referrer" />;
  return (
    <button type="button" class="dashed page-other" onClick={() => setShown(true)}>
      <Icon name="image" /> Show the image from {new URL(source).host}
      {alt && `: ${alt}`}
    </button>
  );
}
