import type { JSX } from 'preact';
import { SourceLink } from '../text/source-link.js';
import { useState } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { Icon } from '../ui/icon.js';
import { IntegrationIcon } from '../ui/messages/integration-icon.js';
import { Chip } from '../ui/status.js';
import { MarkdownView } from '../text/markdown/markdown-view.js';
import { imageUrl } from '../ui/state/image-url.js';
import { safeLink } from '../text/safe-url.js';
import { Checklist, Findings, useListing } from './findings.js';
import type { Scope } from '../../protocol/scopes.js';

export function ListingView({ platform }: { platform: PlatformResource }): JSX.Element {
  const listing = useListing();
  return (
    <div class="page listing">
      <aside aria-label="Problems">
        <Findings {...listing} />
      </aside>
      <Marketplace platform={platform} />
      {listing.data && (
        <aside aria-label="Checks">
          <Checklist {...listing.data} />
        </aside>
      )}
    </div>
  );
}

function Marketplace({ platform }: { platform: PlatformResource }): JSX.Element {
  const { integration, organizations } = platform;
  const { title, description, summary, organization, categories } = integration;
  return (
    <article class="card marketplace" aria-label="Page in the marketplace">
      <header class="bar market-head">
        <IntegrationIcon integration={integration} size={64} />
        <div class="grow">
          <h2 class="market-title wrap-anywhere">{title}</h2>
          <p class="quiet">by {organizations.find(({ id }) => id === organization)?.title ?? organization}</p>
        </div>
      </header>
      <p class="market-description wrap-anywhere">{description}</p>
      {categories.length > 0 && (
        <ul class="wrap gap-s">
          {categories.map((category) => (
            <li key={category}>
              <Chip>{category}</Chip>
            </li>
          ))}
        </ul>
      )}
      <Previews images={integration.previewImages} />
      <div class="market-columns">
        <section class="grow market-summary">
          {summary === undefined ? (
            <EmptyState
              icon="edit"
              title="No summary"
              action={<SourceLink file="platform-manifest.yaml" line={1} />}
            >
              <p>
                Add a <code>summary</code> to the manifest: Markdown, with at most 2048 characters.
              </p>
            </EmptyState>
          ) : (
            <MarkdownView source={summary} />
          )}
        </section>
        <SideColumn integration={integration} />
      </div>
    </article>
  );
}

function SideColumn({ integration }: { integration: PlatformResource['integration'] }): JSX.Element {
  const { externalLinks, scopes, visibility } = integration;
  return (
    <aside class="market-side stack">
      <section>
        <h3>Links</h3>
        {externalLinks.length === 0 && <p class="quiet small">None</p>}
        <ul class="stack tight">
          {externalLinks.map(({ label, url }, index) => {
            const href = safeLink(url, location.href);
            return (
              <li key={index}>
                {href === undefined ? (
                  <span class="quiet">{label}</span>
                ) : (
                  <a href={href} target="_blank" rel="noopener noreferrer">
                    {label} <Icon name="external" size={12} />
                  </a>
                )}
              </li>
            );
          })}
        </ul>
      </section>
      <section>
        <h3>It can</h3>
        {scopes.length === 0 && <p class="quiet small">This integration requests no permissions.</p>}
        <ul class="stack tight">
          {scopes.map((scope) => (
            <li key={scope} class="scope">
              <Icon name="check" size={14} />
              <span>
                {scopeWords[scope]}
                <code class="block quiet small">{scope}</code>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>Visibility</h3>
        <p class="small">{visibilityWords[visibility]}</p>
      </section>
    </aside>
  );
}

const visibilityWords = {
  private: 'Private: only members of the owning organization can install it.',
  unlisted: 'Unlisted: anyone with the install link can install it.',
  public: 'Public: any organization can install it.',
};

function Previews({ images }: { images: readonly string[] }): JSX.Element {
  const [shown, setShown] = useState(0);
  const [missing, setMissing] = useState<string>();
  const current = Math.min(shown, images.length - 1);
  if (images.length === 0) {
    return (
      <div class="well preview missing">
        <Icon name="image" size={20} />
        <span>
          No preview images. Add images of 1600 × 800 pixels under <code>previewImages</code>.
        </span>
      </div>
    );
  }
  const move = (by: number): void => setShown((current + by + images.length) % images.length);
  return (
    <div class="previews">
      {missing !== undefined && missing === images[current] ? (
        <div class="well preview missing">
          <Icon name="image" size={20} />
          <span class="wrap-anywhere">
            Image not found: <code>{missing}</code>
          </span>
        </div>
      ) : (
        <img
          class="well preview"
          src={imageUrl(`previews/${current}`)}
          alt={`Preview ${current + 1}: ${images[current] ?? ''}`}
          onError={() => setMissing(images[current])}
        />
      )}
      {images.length > 1 && (
        <div class="row preview-bar">
          <Button kind="quiet" icon="left" label="Previous image" onPress={() => move(-1)} />
          <span class="quiet small number">
            {current + 1} of {images.length}
          </span>
          <Button kind="quiet" icon="right" label="Next image" onPress={() => move(1)} />
        </div>
      )}
    </div>
  );
}

/** Explains each scope to the user who installs the integration. */
const scopeWords: Record<Scope, string> = {
  'space:content:read': 'Read the content of your spaces',
  'space:content:write': 'Change the content of your spaces',
  'space:metadata:read': 'View the titles and settings of your spaces',
  'space:metadata:write': 'Change the titles and settings of your spaces',
  'space:git:sync': 'Start Git sync and view its progress',
  'site:metadata:read': 'View the titles and settings of your sites',
  'site:views:read': 'View visits to your sites',
  'page:feedback:read': 'Read the feedback on your pages',
  'site:script:inject': 'Run scripts on your sites',
  'site:script:cookies': 'Use cookies on your sites',
  'site:visitor:auth': 'Sign visitors in',
  'site:visitor:claims': 'Read data about signed-in visitors',
  'site:adaptive:read': 'Read adaptive content',
  'site:adaptive:write': 'Change adaptive content',
  'openapi:read': 'Read your OpenAPI specifications',
  'openapi:write': 'Change your OpenAPI specifications',
  'conversations:ingest': 'Import conversations',
};
