import type { JSX } from 'preact';
import { api, type Place } from '../live/api.js';
import { placedIn } from '../live/placed.js';
import type { PlatformResource } from '../live/resources.js';
import { useAct } from '../parts/act.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { useDraft } from '../parts/draft.js';
import { PlaceSelect } from '../parts/place-select.js';
import { go } from '../shell/navigation.js';
import { EventTicks } from './event-ticks.js';
import { webhookEvents } from './delivery-words.js';
import { UrlField } from './url-field.js';

export function AddEndpoint({
  platform,
  onClose,
}: {
  platform: PlatformResource;
  onClose: () => void;
}): JSX.Element {
  const places = placedIn(platform).filter(({ kind }) => kind !== 'organization');
  const [chosen, setChosen] = useDraft<Place | undefined>('endpoint place', places[0]?.place);
  const [url, setUrl] = useDraft('endpoint address', 'http://127.0.0.1:3000/webhook');
  const kind = chosen?.site === undefined ? 'space' : 'site';
  const [events, setEvents] = useDraft<string[]>('endpoint events', [...webhookEvents[kind]]);
  const { busy, act } = useAct();

  const add = (): void => {
    if (!chosen) return;
    act(async () => {
      const made = await api.addEndpoint({ ...chosen, url, events });
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
          hint="Events are posted here, signed with a secret of its own."
          onChange={setUrl}
        />
        <PlaceSelect
          places={places}
          label="Space or site"
          value={chosen}
          onChange={(place) => {
            setChosen(place);
            setEvents([...webhookEvents[place.site === undefined ? 'space' : 'site']]);
          }}
        />
        <EventTicks kind={kind} selected={events} onChange={setEvents} />
        <div class="row end">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" submit busy={busy} disabled={!chosen || events.length === 0}>
            Add the endpoint
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
