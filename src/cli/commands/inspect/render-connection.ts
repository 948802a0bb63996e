import type { Connection, ConnectionStep } from '../../../contract/routes/connections.js';
import { renderFailure } from '../../session/render-failure.js';
import { wrapText } from '../../../terminal/wrap-text.js';
import type { Style } from '../../../terminal/style.js';

interface ConnectionView {
  style: Style;
  width: number;
  wrapAt: number;
}

export function renderConnection(connection: Connection, view: ConnectionView): string {
  const { outcome, startUrl, steps, refresh } = connection;
  const { style } = view;
  return [
    `${style.bold(refresh ? 'OAuth token refresh' : 'OAuth connection')}  ${outcome}`,
    ...steps.flatMap((step) =>
      renderStep(step, refresh && step.name === 'exchange' ? 'Token refresh' : titles[step.name], view),
    ),
    ...(startUrl !== undefined && outcome !== 'connected' ? ['', `  To try again, open ${startUrl}`] : []),
  ].join('\n');
}

const titles: Record<ConnectionStep['name'], string> = {
  authorize: 'Authorize',
  consent: 'Consent',
  return: 'Return trip',
  exchange: 'Token exchange',
  extract: 'extractCredentials',
  store: 'Stored',
};

function renderStep(step: ConnectionStep, title: string, view: ConnectionView): string[] {
  const { style } = view;
  const { state, verdict, durationMs, call, sent, received, failure, hint } = step;
  if (state === 'not-reached') return [`  ${style.dim(`${title}  not reached`)}`];
  const went = { done: style.green, running: style.yellow, failed: style.red }[state];
  const what = verdict === undefined ? '' : `: ${verdict}`;
  const took = durationMs === undefined ? '' : `  ${Math.round(durationMs)} ms`;
  const facts = (list: ConnectionStep['sent'], mark: string): string[] =>
    list.map((fact) => `    ${style.dim(`${mark} ${fact.name}:`)} ${fact.value}`);
  return [
    `  ${title}  ${went(state)}${what}${took}${call === undefined ? '' : style.dim(`  ${call}`)}`,
    ...facts(sent, '>'),
    ...facts(received, '<'),
    ...(failure ? renderFailure(failure, view).map((line) => `  ${line}`) : []),
    ...(hint === undefined ? [] : wrapText(hint, view.width - 4).map((line) => `    ${line}`)),
  ];
}
