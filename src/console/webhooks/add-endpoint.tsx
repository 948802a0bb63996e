import type { JSX } from 'preact';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { api } from '../api/fetch-api.js';
import { installedIn } from '../live/where-installed.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { useAct } from '../ui/run-and-report.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { useDraft } from '../live/kept-drafts.js';
import { TargetSelect } from '../live/target-select.js';
import { go } from '../shell/navigation.js';
import { EventTicks } from './event-checkboxes.js';
import { selectableEvents } from '../../protocol/webhook-events.js';
import { UrlField } from './url-field.js';

export function AddEndpoint({
  platform,
  onClose,
}: {
  platform: PlatformResource;
  onClose: () => void;
}): JSX.Element {
  const targets = installedIn(platform).filter(({ kind }) => kind !== 'organization');
  const [chosen, setChosen] = useDraft<InstalledTarget | undefined>('endpoint target', targets[0]?.target);
  const [url, setUrl] = useDraft('endpoint address', '');
  const kind = chosen?.site === undefined ? 'space' : 'site';
  const [events, setEvents] = useDraft<string[]>('endpoint events', [...selectableEvents[kind]]);
  const { busy, act } = useAct();

  const add = (): void => {
    if (!chosen) return;
    act(async () => {
      const made = await api('POST /webhooks', { ...chosen, url, events });
      onClose();
      go({ view: 'webhooks', endpoint: made.id });
    }, 'Endpoint added');
  };

  return (
    <Dialog title="Add an endpoint" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <UrlField
          url={url}
          hint="Events are sent here as POST requests, signed with the endpoint's secret."
          onChange={setUrl}
        />
        <TargetSelect
          targets={targets}
          label="Space or site"
          value={chosen}
          onChange={(target) => {
            setChosen(target);
            setEvents([...selectableEvents[target.site === undefined ? 'space' : 'site']]);
          }}
        />
        <EventTicks kind={kind} selected={events} onChange={setEvents} />
        <div class="row end">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" submit busy={busy} disabled={!chosen || events.length === 0}>
            Add endpoint
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
