import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PageResource } from '../../contract/routes/content.js';
import { api } from '../api/fetch-api.js';
import { go, GoLink } from '../shell/navigation.js';
import { SourceLink } from '../text/source-link.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { useAct } from '../ui/run-and-report.js';
import { DeletePageDialog, RenamePageDialog } from './page-dialogs.js';

/** Shows the location of the page and the actions for the whole page. */
export function PageHead({ page }: { page: PageResource }): JSX.Element {
  const { space, id, hash, file, source, link } = page;
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const { act } = useAct();
  const close = (): void => setDialog(undefined);
  return (
    <div class="page-head" role="toolbar" aria-label="The page">
      <GoLink to={{ view: 'pages', space }} class="page-back">
        <Icon name="left" size={14} /> Pages
      </GoLink>
      <span class="page-file grow">
        <span class="quiet">Text in </span>
        {source === undefined ? <code class="cut">{file}</code> : <SourceLink file={source} />}
      </span>
      {link !== undefined && (
        <a
          class="button secondary small"
          aria-label="View on the site"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
        >
          <Icon name="external" />
          <span class="button-text">View on the site</span>
        </a>
      )}
      <Button
        size="small"
        kind="quiet"
        icon="edit"
        label="Rename or move"
        onPress={() => setDialog('rename')}
      >
        Rename or move
      </Button>
      <Button
        size="small"
        kind="quiet"
        icon="trash"
        label="Delete the page"
        onPress={() => setDialog('delete')}
      />
      {dialog === 'rename' && <RenamePageDialog page={page} onClose={close} />}
      {dialog === 'delete' && (
        <DeletePageDialog
          page={page}
          onClose={close}
          onDelete={() =>
            act(async () => {
              await api('DELETE /content/page', { space, page: id, hash });
              go({ view: 'pages', space }, 'replace');
            }, 'Deleted')
          }
        />
      )}
    </div>
  );
}
