import type { ComponentChildren, JSX } from 'preact';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { api } from '../api/fetch-api.js';
import { firstEvent } from '../live/first-event.js';
import { usePreference } from '../live/preferences.js';
import { useResource } from '../live/use-resource.js';
import { GoLink } from '../shell/navigation.js';
import { propertyTitles } from './property-titles.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Icon } from '../ui/icon.js';
import { Command } from '../ui/command.js';

/**
 * If there are more calls than this, the steps are hidden. The author already knows them, and finding out that a step has
 * never happened would mean reading every call.
 */
const mostCalls = 500;

export function FirstSteps({ platform }: { platform: PlatformResource }): JSX.Element | null {
  const [hidden, setHidden] = usePreference('first steps hidden', false);
  const { data } = useResource(
    'number of all calls',
    () => api('GET /calls/count', {}),
    () => false,
  );
  if (hidden || !data || data.matching > mostCalls) return null;
  return <Steps platform={platform} onHide={() => setHidden(true)} />;
}

function Steps({ platform, onHide }: { platform: PlatformResource; onHide: () => void }): JSX.Element | null {
  const event = firstEvent(platform.integration);
  const sent = useHappened({ type: event ?? 'ui_render' });
  const requested = useHappened({ source: 'request' });
  const rendered = useHappened({ type: 'ui_render' });
  const [installation] = platform.installations;
  const hasBlocks = platform.integration.blocks.length > 0;
  const known = sent !== undefined && requested !== undefined && rendered !== undefined;
  const done = (sent || event === undefined) && requested && (rendered || !hasBlocks);
  if (!known || done) return null;
  const missing = installation?.status === 'pending' ? installation.problems : [];
  const section = platform.integration.configurations.account;
  return (
    <Card
      title={installation ? 'First steps' : 'Next steps'}
      flush
      actions={
        <Button size="small" kind="quiet" onPress={onHide}>
          Hide
        </Button>
      }
    >
      <ul class="steps">
        {installation && missing.length > 0 && (
          <Step done={false} title="Configure the installation">
            <GoLink to={{ view: 'configuration', installation: installation.id }}>
              Set {propertyTitles(missing, section)}
            </GoLink>
          </Step>
        )}
        {event !== undefined && (
          <Step done={sent} title="Send an event">
            {installation && <Command text={`platform trigger ${event}`} />}
          </Step>
        )}
        <Step done={requested} title="Call the public endpoint">
          {installation && <Command text={`curl ${installation.urls.publicEndpoint}`} />}
        </Step>
        {hasBlocks && (
          <Step done={rendered} title="Insert a block">
            {installation && <GoLink to={{ view: 'blocks' }}>Open Blocks</GoLink>}
          </Step>
        )}
      </ul>
    </Card>
  );
}

interface StepProps {
  done: boolean;
  title: string;
  children: ComponentChildren;
}

const Step = ({ done, title, children }: StepProps): JSX.Element => (
  <li class={done ? 'row step done' : 'row step'}>
    <span class="tile step-mark">{done && <Icon name="check" size={14} label="Done" />}</span>
    <span>{title}</span>
    {!done && <span class="grow">{children}</span>}
  </li>
);

function useHappened(filter: { type: string } | { source: 'request' }): boolean | undefined {
  const { data } = useResource(
    `first call ${Object.values(filter).join()}`,
    () => api('GET /calls', { ...filter, limit: 1 }),
    (event) =>
      event.type === 'call-started' &&
      ('type' in filter ? event.call.type === filter.type : event.call.source === filter.source),
  );
  return data && data.length > 0;
}
