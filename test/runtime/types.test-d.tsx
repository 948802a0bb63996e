import { describe, expectTypeOf, test } from 'vitest';
import {
  createComponent,
  createIntegration,
  type ContentSourceInput,
  type EventCallback,
  type EventOf,
  type FetchEventCallback,
  type HostAction,
  type PlatformApi,
  type RenderContext,
  type RevisionPage,
  type RevisionPageGroup,
  type RuntimeContext,
  type RuntimeEnvironment,
  type SpaceContentUpdatedEvent,
} from '../../src/runtime/index.js';

interface Config {
  token?: string;
}
type SiteConfig = { color: 'red' | 'blue' };
type Context = RuntimeContext<RuntimeEnvironment<Config, SiteConfig>>;

describe('the types of an environment', () => {
  test('infers the configuration types in an environment', () => {
    type Env = Context['environment'];
    expectTypeOf<NonNullable<Env['installation']>['configuration']>().toEqualTypeOf<Config>();
    expectTypeOf<NonNullable<Env['siteInstallation']>['configuration']>().toEqualTypeOf<SiteConfig>();
    expectTypeOf<NonNullable<Env['spaceInstallation']>['configuration']>().toEqualTypeOf<SiteConfig>();
    expectTypeOf<NonNullable<Env['installation']>['status']>().toEqualTypeOf<
      'active' | 'pending' | 'paused'
    >();
  });

  test("accepts a context with the author's own types", () => {
    expectTypeOf<Context>().toExtend<RuntimeContext>();
    expectTypeOf<Context['api']>().toEqualTypeOf<PlatformApi>();
  });
});

test('infers spaces and sites instead of ids for a list requested with "extended"', async () => {
  const titlesOf = async ({ api, environment }: Context): Promise<string[]> => {
    const { data } = await api.integrations.listIntegrationInstallationSpaces(
      environment.integration.name,
      'a',
      { extended: true },
    );
    return data.items.map(({ space }) => (typeof space === 'string' ? space : space.title));
  };
  expectTypeOf(titlesOf).returns.resolves.toEqualTypeOf<string[]>();
  type Plain = Awaited<ReturnType<PlatformApi['integrations']['getIntegrationSpaceInstallation']>>;
  expectTypeOf<Plain['data']['space']>().toEqualTypeOf<string>();
});

test('exports the types that existing scripts use', () => {
  const subjectOf = async ({ api }: Context, space: string): Promise<string | undefined> => {
    const { data: revision } = await api.spaces.getCurrentRevision(space);
    return revision.type === 'merge' ? revision.mergedFrom?.subject : revision.urls.public;
  };
  expectTypeOf(subjectOf).returns.resolves.toEqualTypeOf<string | undefined>();
  const groups = (pages: RevisionPage[]): RevisionPage[] => (pages[0] as RevisionPageGroup).pages;
  expectTypeOf(groups).returns.toEqualTypeOf<RevisionPage[]>();
  const actingAs = (context: Context, authToken: string): Context => ({
    ...context,
    environment: { ...context.environment, authToken },
  });
  expectTypeOf(actingAs).returns.toEqualTypeOf<Context>();
  type Installations = Awaited<ReturnType<PlatformApi['integrations']['listIntegrationInstallations']>>;
  expectTypeOf<Installations['data']['count']>().toEqualTypeOf<number | undefined>();
});

describe('the types of an event callback', () => {
  test('infers the event type of a callback', () => {
    expectTypeOf<EventCallback<'space_content_updated'>>()
      .parameter(0)
      .toEqualTypeOf<SpaceContentUpdatedEvent>();
    expectTypeOf<EventCallback<'space_view', Context>>().parameter(1).toEqualTypeOf<Context>();
    expectTypeOf<EventOf<'space_gitsync_completed'>['state']>().toEqualTypeOf<'success' | 'failure'>();
    // @ts-expect-error there is no such event
    expectTypeOf<EventCallback<'space_exploded'>>().toBeFunction();
  });

  test('infers the event type of a callback in a definition', () => {
    createIntegration<Context>({
      fetch: async (request, context) => {
        expectTypeOf(request).toEqualTypeOf<Request>();
        expectTypeOf(context).toEqualTypeOf<Context>();
        return new Response();
      },
      events: {
        site_view: (event, context) => {
          expectTypeOf(event).toEqualTypeOf<EventOf<'site_view'>>();
          expectTypeOf(context).toEqualTypeOf<Context>();
        },
        page_feedback: [(event) => expectTypeOf(event.feedback.rating).toBeString()],
      },
      task: (task) => expectTypeOf(task.type).toBeString(),
    });
    createIntegration({
      // @ts-expect-error there is no such event
      events: { space_exploded: () => {} },
    });
  });

  test('derives the context type of a definition from its callbacks', () => {
    const handle: FetchEventCallback<Context> = () => new Response();
    createIntegration({
      fetch: handle,
      fetch_visitor_authentication: (event, context) => {
        expectTypeOf(event.location).toEqualTypeOf<string | undefined>();
        expectTypeOf(context).toEqualTypeOf<Context>();
        return new Response();
      },
    });
  });
});

describe('the types of a component', () => {
  type Action = { action: 'add'; by: number } | { action: 'clear' };

  test("infers the types of a component's element, action and context", () => {
    const component = createComponent<{ url: string }, { count: number }, Action, Context>({
      componentId: 'c',
      initialState: (props, renderContext, context) => {
        expectTypeOf(props).toEqualTypeOf<{ url: string }>();
        expectTypeOf(renderContext).toEqualTypeOf<RenderContext>();
        expectTypeOf(context).toEqualTypeOf<Context>();
        return { count: 0 };
      },
      action: async (element, action, context) => {
        expectTypeOf(element.state).toEqualTypeOf<{ count: number }>();
        expectTypeOf(action).toEqualTypeOf<HostAction | Action>();
        expectTypeOf(context).toEqualTypeOf<Context>();
        if (action.action === 'add') expectTypeOf(action.by).toBeNumber();
        return { state: { count: 1 } };
      },
      render: async (element, context) => {
        expectTypeOf(element.props.url).toBeString();
        expectTypeOf(element.dynamicState).parameter(0).toEqualTypeOf<'count'>();
        expectTypeOf(context).toEqualTypeOf<Context>();
        return null;
      },
    });
    createIntegration({ components: [component] });
    createComponent<object, { count: number }>({
      componentId: 'c',
      // @ts-expect-error a count is a number
      initialState: { count: '0' },
      render: () => null,
    });
  });

  test("infers the type of a modal's return value", () => {
    createComponent<object, object, { action: '@ui.modal.close'; returnValue: { id?: string } }>({
      componentId: 'c',
      action: async (_, action) => {
        if (action.action === '@ui.modal.close')
          expectTypeOf(action.returnValue).toEqualTypeOf<{ id?: string }>();
      },
      render: () => null,
    });
  });

  test('accepts any component action if no types are given', () => {
    createComponent({
      componentId: 'c',
      action: async (_, action) => {
        expectTypeOf(action.action).toBeString();
        expectTypeOf(action.url).toBeAny();
      },
      render: () => null,
    });
  });
});

describe('the types of an element', () => {
  const press = { action: 'x' };

  test('type-checks the known props of an element', () => {
    void (
      <block>
        <button label="a" onPress={press} confirm={{ title: 'Sure?', style: 'danger' }} />
        <button icon="edit" onPress={press} />
        <stepper activeStep="a">
          <step id="a" title="A" />
        </stepper>
        <checkbox state="x" value="y" />
        <card title="t" icon={<image source={{ url: '' }} aspectRatio={1} />} buttons={[]} />
      </block>
    );
  });

  test('type-checks the optional props of an element', () => {
    const where = { host: 'docs.example.com', pathname: '/a', query: { of: { $state: 'channel' } } };
    void (
      <stepper activeStep="a" onStepChange={press} onComplete={press}>
        <step id="a" next={false}>
          <select state="spec" options={{ source: 'openapi' }} />
          <link target={{ url: where }}>more</link>
        </step>
      </stepper>
    );
    void (
      <modal subtitle={[<text>Of this</text>, 'page']}>
        <button label="a" trailingIcon="star" onPress={press} />
      </modal>
    );
  });

  test('rejects invalid or unknown props of an element', () => {
    // @ts-expect-error a button needs an action
    void (<button label="a" />);
    // @ts-expect-error a button needs a label or an icon
    void (<button onPress={press} />);
    // @ts-expect-error an action has a name
    void (<button label="a" onPress={{ by: 1 }} />);
    // @ts-expect-error no such style
    void (<button label="a" onPress={press} style="huge" />);
    // @ts-expect-error no such prop
    void (<divider colour="red" />);
    // @ts-expect-error an input shows an element
    void (<input label="a" />);
    // @ts-expect-error an image has proportions
    void (<image source={{ url: '' }} />);
    // @ts-expect-error a block has children
    void (<block />);
    // @ts-expect-error no such element
    void (<marquee>a</marquee>);
    // @ts-expect-error an object is no child
    void (<text>{{ a: 1 }}</text>);
  });
});

test('infers the type of a content source dependency from its reference', () => {
  type Ref = { kind: 'space'; space: string };
  type Input = ContentSourceInput<object, { space: { ref: Ref }; spec: { ref: Ref; value: string } }>;
  expectTypeOf<Input['dependencies']['space']['ref']>().toEqualTypeOf<Ref>();
  expectTypeOf<NonNullable<Input['dependencies']['space']['value']>['id']>().toBeAny();
  expectTypeOf<Input['dependencies']['spec']['value']>().toEqualTypeOf<string>();
});
