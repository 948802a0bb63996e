import type { JSX } from 'preact';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { describeUse, limitNames, limitTitles, showAmount } from '../../../protocol/call-limits.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';

/** Shows the limits that a call came close to or exceeded. */
export function NearLimits({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { near } = entry;
  if (!near) return null;
  return (
    <div class="notice warn" role="note">
      <Icon name="warning" />
      <div>Near a limit: {near.map(describeUse).join(', ')}.</div>
    </div>
  );
}

/** Shows how much of each limit a call used. */
export function HeadroomFacts({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { headroom = {} } = entry;
  const facts = limitNames.flatMap((name) => {
    const use = headroom[name];
    if (!use) return [];
    const { used, limit } = use;
    const title = limitTitles[name];
    const amount = showAmount(name, used);
    const whole = limit === undefined ? amount : `${amount} of ${showAmount(name, limit)}`;
    return [[`${title[0]?.toUpperCase()}${title.slice(1)}`, whole] as const];
  });
  if (facts.length === 0) return null;
  return (
    <section>
      <h3 class="section-title">Limits</h3>
      <Facts facts={facts} />
    </section>
  );
}
