import { createComponent } from 'integration-platform';

export const {{variable}} = createComponent({
  componentId: '{{id}}',

  initialState: { pressed: false },

  async action(element, action) {
    if (action.action === 'press') return { state: { pressed: true } };
    return {};
  },

  async render(element) {
    return (
      <block>
        <button label={element.state.pressed ? 'Pressed' : 'Press'} onPress={{ action: 'press' }} />
      </block>
    );
  },
});
