import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { parseJson } from '../../../base/parse-json.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import { api } from '../../api/fetch-api.js';
import { MarkupTree } from '../../markup/markup-tree.js';
import { MarkupProvider } from '../../markup/basics/markup-context.js';
import { isRecord } from '../../markup/basics/read-markup.js';
import { renderMarkup } from '../../markup/render-markup.js';
import { go } from '../../shell/navigation.js';
import { Button } from '../../ui/button.js';
import { Segments } from '../../ui/segments.js';
import { useAct } from '../../ui/run-and-report.js';
import { useCallBody } from './use-call-body.js';

interface RenderedMarkupProps {
  entry: CallRecord;
  platform: PlatformResource;
}

/** What a recorded render looked like, or its markup. Its buttons and fields do nothing. */
export function RenderedMarkup({ entry, platform }: RenderedMarkupProps): JSX.Element | null {
  const { event, environment, warnings = [] } = entry;
  const { bytes } = useCallBody(entry, 'response');
  const [shown, setShown] = useState<'picture' | 'markup'>('picture');
  const { busy, act } = useAct();
  const body = useMemo(() => (bytes ? parseJson(new TextDecoder().decode(bytes), {}) : {}), [bytes]);
  if (event?.type !== 'ui_render' || !isRecord(body) || !isRecord(body.element)) return null;
  const { componentId: component, props } = event;
  const installation = environment?.installation?.id ?? event.installationId;
  const isBlock = platform.integration.blocks.some(({ id }) => id === component);
  const insert = (): void =>
    act(async () => {
      const { siteId: site, spaceId: space } = event.context;
      const where = { installation, ...(space !== undefined ? { space } : site !== undefined && { site }) };
      const { id } = await api('POST /blocks', { component, props, ...where });
      go({ view: 'blocks', block: id });
    });
  return (
    <section class="stack tight" aria-label="Rendered block">
      <div class="row">
        <Segments
          label="What to show"
          value={shown}
          options={[
            { value: 'picture', name: 'Picture' },
            { value: 'markup', name: 'Markup' },
          ]}
          onChange={setShown}
        />
        <span class="grow" />
        {isBlock && (
          <Button size="small" icon="blocks" busy={busy} onPress={insert}>
            Open in Blocks with these props
          </Button>
        )}
      </div>
      {shown === 'markup' ? (
        <MarkupTree element={body.element} warnings={warnings} failed={undefined} />
      ) : (
        <div class="card rendered" inert>
          <MarkupProvider
            value={{
              state: isRecord(body.state) ? body.state : {},
              base: `${platform.urls.publicEndpoint}/`,
              set: () => {},
              send: async () => {},
              options: () => Promise.resolve([]),
              draw: renderMarkup,
            }}
          >
            <div class="component">{renderMarkup(body.element)}</div>
          </MarkupProvider>
        </div>
      )}
    </section>
  );
}
