import { createComponent } from 'integration-platform';

/** A block that counts how often its button is pressed. */
export const counter = createComponent({
  componentId: 'counter',

  /** @param {{ start?: number }} props */
  initialState: (props) => ({ count: props.start ?? 0 }),

  async action(element, action) {
    switch (action.action) {
      case 'add':
        return { state: { count: element.state.count + 1 } };
      case 'reset':
        return { state: { count: 0 } };
      default:
        return {};
    }
  },

  async render(element) {
    const { count } = element.state;
    return (
      <block>
        <card title="Counter" hint={count === 1 ? 'Pressed once' : `Pressed ${count} times`}>
          <hstack>
            <button label="Count" style="primary" onPress={{ action: 'add' }} />
            <button label="Reset" onPress={{ action: 'reset' }} disabled={count === 0} />
          </hstack>
        </card>
      </block>
    );
  },
});
