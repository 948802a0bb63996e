import { createComponent, createIntegration, ExposableError, routePath } from 'integration-platform';

const form = createComponent({
  componentId: 'form',
  initialState: (props: { name?: string }) => ({ name: props.name ?? '', color: 'none', asked: 0 }),
  async action(element, action) {
    const { state } = element;
    if (action.action === 'color') return { state: { ...state, color: 'chosen' } };
    if (action.action === '@ui.modal.close') return { state: { ...state, name: String(action.returnValue) } };
    if (action.action === 'done') return { type: 'complete', returnValue: { name: state.name } };
    if (action.action === 'fail') throw new ExposableError('No colour left.', 409);
    return { state: { ...state, asked: state.asked + 1 } };
  },
  async render({ state, dynamicState }) {
    return (
      <block controls={[{ label: 'Ask again', onPress: { action: 'ask' } }]}>
        <text>
          Asked {state.asked} {state.asked === 1 ? 'time' : 'times'}
        </text>
        <textinput state="name" label="Name" />
        <select state="color" options={[{ id: 'red', label: 'Red' }]} onValueChange={{ action: 'color' }} />
        <select state="city" options={{ url: '/cities' }} />
        <select state="pets" multiple acceptInput options={[]} />
        <switch state="on" />
        <radio state="size" value="s" />
        <radio state="size" value="m" />
        <textinput state="locked" disabled />
        <button label="Save" onPress={{ action: 'done' }} />
        <button label="Off" disabled onPress={{ action: 'done' }} />
        <button icon="link" onPress={{ action: '@ui.url.open', url: dynamicState('name') }} />
        <card
          title="Rename"
          onPress={{ action: '@ui.modal.open', componentId: 'rename', props: { old: dynamicState('name') } }}
        />
        <button label="Fail" onPress={{ action: 'fail' }} />
      </block>
    );
  },
});

const rename = createComponent<{ old: string }, { name: string }>({
  componentId: 'rename',
  initialState: { name: '' },
  async render({ props, dynamicState }) {
    return (
      <modal
        title={`Rename ${props.old}`}
        submit={
          <button label="OK" onPress={{ action: '@ui.modal.close', returnValue: dynamicState('name') }} />
        }
      >
        <textinput state="name" />
      </modal>
    );
  },
});

const notes = createComponent({
  componentId: 'notes',
  initialState: { note: 'Hello', code: 'let a;' },
  async action({ state }, { action }) {
    return { state: { ...state, note: action } };
  },
  async render({ dynamicState }) {
    const control = (label: string) => ({ label, onPress: { action: `Pressed ${label}` } });
    return (
      <block controls={[control('Copy'), [control('Move'), control('Delete')]]}>
        <markdown content={dynamicState('note')} />
        <codeblock content={dynamicState('code')} />
      </block>
    );
  },
});

export const integration = createIntegration({
  components: [form, rename, notes],
  async fetch(request, context) {
    const path = routePath(request, context.environment);
    if (path === '/says') {
      console.log(`says ${decodeURIComponent(new URL(request.url).search.slice(1))}`);
      return new Response();
    }
    if (path === '/cities') {
      const typed = new URL(request.url).searchParams.get('q') ?? '';
      if (typed === 'down') return new Response('', { status: 503 });
      return Response.json(['oslo', 'rome'].filter((city) => city.includes(typed)));
    }
    if (path === '/boom') throw new Error('boom in fetch');
    if (path === '/outside')
      return Response.json(await (await fetch('https://api.example.com/v1/things?page=2')).json());
    if (path === '/space') {
      const { data } = await context.api.spaces.getSpaceById('space_local');
      const { title, visibility, revision } = data;
      return Response.json({ title, visibility, revision });
    }
    if (path === '/rejects') {
      context.waitUntil(Promise.reject(new Error('too late')));
      return new Response();
    }
    if (path === '/waits') {
      const signal = AbortSignal.timeout(30_000);
      return fetch('https://slow.example.com/', { signal }).catch((error: Error) =>
        Response.json(error.name),
      );
    }
    if (path === '/later') {
      context.waitUntil(context.integration.queueTask({ task: { type: 'refresh' }, schedule: 60 }));
      return new Response('queued');
    }
    const { site, space } = {
      ...context.environment.siteInstallation,
      ...context.environment.spaceInstallation,
    };
    return Response.json({ path, site, space, key: context.environment.secrets.KEY });
  },
  events: {
    installation_setup: async (event) => console.log(`setup ${event.status}`),
    installation_deleted: async () => console.log('deleted'),
    site_installation_deleted: async (event) => console.log(`deleted from ${event.siteId}`),
    space_gitsync_started: async (_event, context) => context.waitUntil(Promise.reject(new Error('no sync'))),
    space_view: async (event) => {
      if (event.url.includes('boom')) throw new Error('boom');
    },
  },
  fetch_visitor_authentication: async (event) =>
    event.action === 'logout'
      ? Response.redirect('https://id.example.com/logout')
      : Response.redirect(`https://id.example.com/login?back=${event.location}&site=${event.siteId}`),
  task: async (task) => console.log(`task ${task.type}`),
});
