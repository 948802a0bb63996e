import type { ContentComputeDocumentEvent, ContentComputeRevisionEvent } from '../../protocol/events.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';
import type { AnyValues } from '../environment/runtime-environment.js';

/** A content source to pass to `createIntegration` in `contentSources`. */
export interface ContentSourceDefinition<Context extends RuntimeContext = RuntimeContext> {
  /** Id of the content source. */
  sourceId: string;
  /** Computes the list of pages or one page, as a response. */
  compute: RuntimeCallback<
    [ContentComputeRevisionEvent | ContentComputeDocumentEvent],
    Promise<Response>,
    Context
  >;
}

/** Passed to `getRevision` and `getPageDocument`. */
export interface ContentSourceInput<Props extends object = object, Dependencies extends object = object> {
  /** Properties of the source or of the page. */
  props: Props;
  /** Content that the source depends on, keyed by name. */
  dependencies: { [Name in keyof Dependencies]: Resolved<Dependencies[Name]> };
}

/** A dependency includes the content that it refers to, unless that content was deleted. */
type Resolved<Dependency> = 'value' extends keyof Dependency
  ? Dependency
  : Dependency extends { ref: unknown }
    ? Dependency & { value?: AnyValues }
    : Dependency;

/**
 * Creates a content source, which generates pages. `getRevision` lists the pages, and `getPageDocument`
 * returns a page's content.
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
  /** Id of the content source, as in the manifest. */
  sourceId: string;
  /** Returns the list of pages. */
  getRevision: RuntimeCallback<
    [ContentSourceInput<RevisionProps, Dependencies>],
    object | Promise<object>,
    Context
  >;
  /** Returns the document for a page. */
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
