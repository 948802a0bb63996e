import type { JSX } from 'preact';
import { GoLink } from '../../shell/navigation.js';

export const CallLink = ({ call }: { call: string }): JSX.Element => (
  <GoLink to={{ view: 'calls', call }} class="text-button mono">
    {call}
  </GoLink>
);
