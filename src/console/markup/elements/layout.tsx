import type { JSX } from 'preact';
import { Icon } from '../../ui/icon.js';
import { useConfirmed } from '../basics/confirm-action.js';
import { ElementIcon } from '../basics/element-icon.js';
import { useMarkup } from '../basics/markup-context.js';
import {
  isRecord,
  readAction,
  readList,
  readNumber,
  readOneOf,
  readText,
  type Values,
} from '../basics/read-markup.js';

export interface ElementProps {
  element: Values;
}

export function BlockElement({ element }: ElementProps): JSX.Element {
  const { draw } = useMarkup();
  const controls = readList(element.controls).flat().filter(isRecord);
  return (
    <div class="column m-block">
      {controls.length > 0 && (
        <div class="wrap m-controls" role="toolbar" aria-label="Block controls">
          {controls.map((control, index) => (
            <Control key={index} control={control} />
          ))}
        </div>
      )}
      {draw(element.children)}
    </div>
  );
}

function Control({ control }: { control: Values }): JSX.Element {
  const { send } = useMarkup();
  const { press, isWorking, question } = useConfirmed(control.confirm);
  const action = readAction(control.onPress);
  const label = readText(control.label);
  return (
    <>
      <button
        type="button"
        class="button small m-control"
        disabled={!action}
        aria-disabled={isWorking || undefined}
        aria-busy={isWorking || undefined}
        onClick={() => action && press(() => send(action))}
      >
        <ElementIcon icon={control.icon} size={14} />
        <span>{label ?? 'Action'}</span>
        {isWorking && <span class="spinner" aria-hidden="true" />}
      </button>
      {question}
    </>
  );
}

export function ConfigurationElement({ element }: ElementProps): JSX.Element {
  return <div class="column m-configuration">{useMarkup().draw(element.children)}</div>;
}

export function BoxElement({ element }: ElementProps): JSX.Element {
  const grow = readNumber(element.grow) ?? (element.grow === true ? 1 : undefined);
  return (
    <div class="m-box" style={grow === undefined ? {} : { flexGrow: grow, flexBasis: 0 }}>
      {useMarkup().draw(element.children)}
    </div>
  );
}

const alignments = ['start', 'center', 'end'] as const;

export function VstackElement({ element }: ElementProps): JSX.Element {
  const align = readOneOf(element.align, alignments) ?? 'stretch';
  return <div class={`column m-vstack align-${align}`}>{useMarkup().draw(element.children)}</div>;
}

export function HstackElement({ element }: ElementProps): JSX.Element {
  const align = readOneOf(element.align, alignments) ?? 'center';
  return <div class={`wrap m-hstack align-${align}`}>{useMarkup().draw(element.children)}</div>;
}

export function DividerElement({ element }: ElementProps): JSX.Element {
  const size = readOneOf(element.size, ['small', 'medium', 'large']) ?? 'medium';
  const style = readOneOf(element.style, ['default', 'line']) ?? 'default';
  return <hr class={`m-divider ${size} ${style}`} />;
}

export function HintElement({ element }: ElementProps): JSX.Element {
  return (
    <div class="hint" data-tone="info" role="note">
      <Icon name="info" />
      <div>{useMarkup().draw(element.children)}</div>
    </div>
  );
}

export function CardElement({ element }: ElementProps): JSX.Element {
  const { draw, send } = useMarkup();
  const action = readAction(element.onPress);
  const title = readText(element.title);
  const buttons = readList(element.buttons);
  return (
    <div class={action ? 'wrap card m-card pressable' : 'wrap card m-card'}>
      {Boolean(element.icon) && (
        <span class="tile well m-card-icon">
          <ElementIcon icon={element.icon} size={20} />
        </span>
      )}
      <div class="column m-card-body">
        {title !== undefined &&
          (action ? (
            <button type="button" class="m-card-title" onClick={() => void send(action)}>
              {title}
            </button>
          ) : (
            <div class="m-card-title">{title}</div>
          ))}
        {Boolean(element.hint) && <div class="m-card-hint">{draw(element.hint)}</div>}
        {draw(element.children)}
      </div>
      {action && title === undefined && (
        <button type="button" class="m-card-open" aria-label="Open" onClick={() => void send(action)} />
      )}
      {buttons.length > 0 && <div class="m-card-buttons">{draw(buttons)}</div>}
    </div>
  );
}

/** The content of a modal. The component that opened the modal renders its frame. */
export function ModalElement({ element }: ElementProps): JSX.Element {
  const { draw } = useMarkup();
  return (
    <div class="column m-modal" aria-label={readText(element.title)}>
      {draw(element.children)}
      {element.submit !== undefined && <div class="row end">{draw(element.submit)}</div>}
    </div>
  );
}
