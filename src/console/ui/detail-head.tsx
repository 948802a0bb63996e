import type { ComponentChildren, JSX } from 'preact';
import { Button } from './button.js';
import { Status } from './status.js';
import type { Tone } from './tone.js';

interface DetailHeadProps {
  title: string;
  mono?: boolean;
  subtitle: ComponentChildren;
  status: { tone: Tone; text: string };
  /** Returns to the list, which is hidden next to the details on a narrow screen. */
  onBack: () => void;
}

export const DetailHead = ({ title, mono, subtitle, status, onBack }: DetailHeadProps): JSX.Element => (
  <header class="bar detail-head">
    <Button kind="quiet" icon="left" label="Back to the list" onPress={onBack} />
    <div class="grow">
      <h2 class={mono ? 'clamp mono wrap-anywhere' : 'clamp wrap-anywhere'}>{title}</h2>
      <p class="quiet small wrap-anywhere">{subtitle}</p>
    </div>
    <Status tone={status.tone} live>
      {status.text}
    </Status>
  </header>
);
