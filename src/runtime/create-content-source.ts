import type { ContentComputeDocumentEvent, ContentComputeRevisionEvent } from '../protocol/events.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';
import type { AnyValues } from './runtime-environment.js';

/** A content source as `createIntegration` takes it. */
export interface ContentSourceDefinition<Context extends RuntimeContext = RuntimeContext> {
  sourceId: string;
  compute: RuntimeCallback<
    [ContentComputeRevisionEvent | ContentComputeDocumentEvent],
    Promise<Response>,
    Context
  >;
}

export interface ContentSourceInput<Props extends object = object, Dependencies extends object = object> {
  props: Props;
  dependencies: { [Name in keyof Dependencies]: Resolved<Dependencies[Name]> };
}

/** What a dependency refers to comes with it, where it is still there. */
type Resolved<Dependency> = 'value' extends keyof Dependency
  ? Dependency
  : Dependency extends { ref: unknown }
    ? Dependency & { value?: AnyValues }
    : Dependency;

/**
 * Declares a source of pages: the revision says which pages there are, the document what one of
 * them holds.
 *
 * @example
 * ```ts
 * import { createContentSource } from 'integration-platform';
 *
 * export const glossary = createContentSource<{ terms: string[] }, { term: string }>({
 *   sourceId: 'glossary',
 *   getRevision: async ({ props }) => ({
 *     pages: props.terms.map((term) => ({
 *       type: 'document',
 *       title: term,
 *       computed: { integration: 'glossary', source: 'glossary', props: { ...props, term } },
 *     })),
 *   }),
 *   getPageDocument: async ({ props }) => ({
 *     object: 'document',
 *     nodes: [{ object: 'block', type: 'heading-1', nodes: [{ object: 'text', text: props.term }] }],
 *   }),
 * });
 * ```
 */
export const createContentSource = <
  RevisionProps extends object = {},
  DocumentProps extends object = {},
  Dependencies extends object = {},
  Context extends RuntimeContext = RuntimeContext,
>(source: {
  sourceId: string;
  getRevision: RuntimeCallback<
    [ContentSourceInput<RevisionProps, Dependencies>],
    object | Promise<object>,
    Context
  >;
  getPageDocument: RuntimeCallback<
    [ContentSourceInput<RevisionProps & DocumentProps, Dependencies>],
    object | void | Promise<object | void>,
    Context
  >;
}): ContentSourceDefinition<Context> => {
  return {
    sourceId: source.sourceId,
    async compute(event, context) {
      const { type, props, dependencies } = event;
      const input = { props: props ?? {}, dependencies: dependencies ?? {} } as ContentSourceInput<
        RevisionProps & DocumentProps,
        Dependencies
      >;
      return Response.json(
        type === 'content_compute_revision'
          ? await source.getRevision(input, context)
          : { document: await source.getPageDocument(input, context) },
      );
    },
  };
};
