import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useMarkup } from '../basics/markup-context.js';
import { isRecord, readAction, readChildren, readText } from '../basics/read-markup.js';
import type { ElementProps } from './layout.js';

export function StepperElement({ element }: ElementProps): JSX.Element {
  const { draw, send } = useMarkup();
  const [chosen, setChosen] = useState<string>();
  const steps = readChildren(element.children).filter(isRecord);
  const ids = steps.map((step, index) => readText(step.id) ?? String(index));
  const wanted = readText(element.activeStep) ?? chosen;
  const active = Math.max(0, ids.indexOf(wanted ?? ''));
  const action = readAction(element.onStepChange) ?? readAction(element.onSelect);
  const complete = readAction(element.onComplete);
  const select = (id: string): void => {
    setChosen(id);
    if (action) void send({ ...action, step: id });
  };
  const [former, following] = [ids[active - 1], ids[active + 1]];
  const goOn = following === undefined ? complete && (() => void send(complete)) : () => select(following);
  return (
    <div class="m-stepper">
      <ol class="wrap m-steps">
        {steps.map((step, index) => {
          const id = ids[index] ?? '';
          return (
            <li key={id} class={index < active ? 'done' : index === active ? 'now' : ''}>
              <button
                type="button"
                aria-current={index === active ? 'step' : undefined}
                onClick={() => select(id)}
              >
                <span class="tile m-step-number number">{index + 1}</span>
                {readText(step.title) ?? `Step ${index + 1}`}
              </button>
            </li>
          );
        })}
      </ol>
      <div class="column m-step">{draw(steps[active]?.children)}</div>
      {complete && (
        <div class="row">
          {former !== undefined && (
            <button type="button" class="button m-button" onClick={() => select(former)}>
              Back
            </button>
          )}
          {goOn && (
            <button
              type="button"
              class="button m-button primary"
              disabled={steps[active]?.next === false}
              onClick={goOn}
            >
              {following === undefined ? 'Done' : 'Next'}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** A step outside a stepper just shows its content. */
export function StepElement({ element }: ElementProps): JSX.Element {
  return <div class="column m-step">{useMarkup().draw(element.children)}</div>;
}
