import type { JSX } from 'preact';
import { describeHealth, describeResult } from '../../base/text/delivery-reason.js';
import type { ListedEndpoint } from '../../contract/routes/webhooks.js';
import { Card } from '../ui/card.js';
import type { Tone } from '../ui/tone.js';
import { GoLink } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';

export function healthWords({ enabled, health }: ListedEndpoint): { tone: Tone; text: string } {
  if (!enabled) return { tone: 'calm', text: 'Disabled' };
  const { requests, succeeded } = health;
  if (requests === 0) return { tone: 'calm', text: 'No requests yet' };
  const rate = Math.floor((100 * succeeded) / requests);
  const tone = rate >= 95 ? 'ok' : rate >= 50 ? 'warn' : 'bad';
  return { tone, text: `${rate}% succeeded` };
}

export function HealthCard({ endpoint: { health, backlog } }: { endpoint: ListedEndpoint }): JSX.Element {
  const { lastFailure } = health;
  const [summary] = describeHealth(health, formatTime);
  const waiting = backlog.pending + backlog.retrying;
  return (
    <Card title="Health">
      <div class="stack tight">
        <p class="number">{summary}</p>
        {lastFailure && (
          <p class="small wrap-anywhere">
            Last failure{' '}
            <GoLink to={{ view: 'webhooks', delivery: lastFailure.delivery }}>
              {formatTime(lastFailure.startedAt)}, {lastFailure.delivery}
            </GoLink>
            : {showControls(describeResult(lastFailure.result))}
          </p>
        )}
        <p class="quiet small">
          {health.since === undefined ? '' : `Since ${formatTime(health.since)}, in at most 50 deliveries. `}
          {waiting === 0
            ? 'No delivery is pending.'
            : waiting === 1
              ? '1 delivery is pending.'
              : `${waiting} deliveries are pending.`}
          {backlog.held > 0 && ` Held until the endpoint is enabled: ${backlog.held}.`}
        </p>
      </div>
    </Card>
  );
}
