import type { JSX } from 'preact';
import { useConfirmed } from '../basics/confirm-action.js';
import { ElementIcon } from '../basics/element-icon.js';
import { useMarkup } from '../basics/markup-context.js';
import { readAction, readOneOf, readText } from '../basics/read-markup.js';
import type { ElementProps } from './layout.js';

export function ButtonElement({ element }: ElementProps): JSX.Element {
  const { send } = useMarkup();
  const { press, isWorking, question } = useConfirmed(element.confirm);
  const action = readAction(element.onPress);
  const style = readOneOf(element.style, ['primary', 'secondary', 'danger']) ?? 'secondary';
  const label = readText(element.label);
  const tooltip = readText(element.tooltip);
  const name = label ?? tooltip ?? readText(element.icon) ?? 'Button';
  return (
    <>
      <button
        type="button"
        class={`button m-button ${style}${label === undefined ? ' bare' : ''}`}
        disabled={element.disabled === true || !action}
        // A disabled button would lose the focus.
        aria-disabled={isWorking || undefined}
        aria-busy={isWorking || undefined}
        aria-label={label === undefined ? name : undefined}
        title={tooltip}
        onClick={() => action && press(() => send(action))}
      >
        <ElementIcon icon={element.icon} />
        {label !== undefined && <span>{label}</span>}
        <ElementIcon icon={element.trailingIcon} />
        {isWorking && <span class="spinner" aria-hidden="true" />}
      </button>
      {question}
    </>
  );
}
