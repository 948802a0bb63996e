import type { MiddlewareHandler } from 'hono';
import { createAnswers, type Answer } from '../spaces/answer-question.js';
import { invalid } from '../http/http-error.js';
import { paginate } from './paging.js';
import { isObject, readJson } from '../http/read-json.js';
import { checkOrganization, checkPlacement } from './check-access.js';
import type { ManagementEnv, ManagementRoutes } from './management-routes.js';

export const addOrganizationRoutes: ManagementRoutes = (app, { registry, spaces }) => {
  const answerQuestion = createAnswers({ registry, spaces });
  const within: MiddlewareHandler<ManagementEnv, '/orgs/:organization'> = async (c, next) => {
    checkOrganization(registry, c.get('bearer'), c.req.param('organization'));
    await next();
  };
  app.get('/orgs/:organization', within, (c) => c.json(spaces.organization(c.req.param('organization'))));
  for (const kind of ['spaces', 'sites'] as const) {
    app.get(`/orgs/:organization/${kind}`, within, (c) => {
      const { organization } = c.req.param();
      const own = registry.workspace[kind].filter((one) => one.organization === organization);
      const resources = own.map(({ id }) =>
        kind === 'spaces' ? spaces.space(id) : spaces.site(organization, id),
      );
      return c.json(paginate(resources, (name) => c.req.query(name)));
    });
  }
  // Content is not indexed, so searches find nothing.
  app.get('/orgs/:organization/:list{search|openapi}', within, (c) =>
    c.json(paginate([], (name) => c.req.query(name))),
  );
  app.post('/orgs/:organization/ask', within, async (c) => {
    const { query } = await readJson(c.req.raw);
    if (typeof query !== 'string') throw invalid('query must be a string.', { path: 'query' });
    const answer = await answerQuestion(c.req.param('organization'), query);
    return c.json({ answer: answerResource(answer, c.req.query('format')) });
  });
  app.get('/orgs/:organization/ask/stream', within, async (c) => {
    const { query, format } = c.req.query();
    if (query === undefined) throw invalid('query is missing.', { path: 'query' });
    const answer = await answerQuestion(c.req.param('organization'), query);
    const events = piecesOf(answer).map((piece) => ({
      type: 'answer',
      answer: answerResource(piece, format),
    }));
    return new Response(events.map((event) => `event: answer\ndata: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });
  });
  app.post('/orgs/:organization/conversations', within, (c) => c.json({}, 202));
  app.get('/orgs/:organization/sites/:site/adaptive-schema', (c) => {
    const { organization, site } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'site', site);
    return c.json(spaces.adaptiveSchema(organization, site));
  });
  app.put('/orgs/:organization/sites/:site/adaptive-schema', async (c) => {
    const { organization, site } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'site', site);
    const { jsonSchema } = await readJson(c.req.raw);
    if (!isObject(jsonSchema)) throw invalid('jsonSchema must be an object.', { path: 'jsonSchema' });
    spaces.adapt(organization, site, { jsonSchema });
    return c.json(spaces.adaptiveSchema(organization, site));
  });
  app.get('/orgs/:organization/sites/:site', (c) => {
    const { organization, site } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'site', site);
    return c.json(spaces.site(organization, site));
  });
};

const answerResource = ({ markdown, followupQuestions, sources }: Answer, format: string | undefined) => ({
  answer: format === 'document' ? { document: documentOf(markdown) } : { markdown },
  followupQuestions,
  sources,
});

const documentOf = (text: string) => ({
  object: 'document',
  data: {},
  nodes: text.split(/\n{2,}/).map((paragraph) => ({
    object: 'block',
    type: 'paragraph',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: paragraph, marks: [] }] }],
  })),
});

/**
 * Splits the reply into the three versions to stream: the first third of its words, the first two thirds, and the complete
 * reply.
 */
function piecesOf(answer: Answer): Answer[] {
  const words = answer.markdown.split(/(?<=\s)/);
  const upTo = (share: number): Answer => ({
    ...answer,
    markdown: words.slice(0, Math.ceil(words.length * share)).join(''),
    followupQuestions: [],
  });
  return [upTo(1 / 3), upTo(2 / 3), answer];
}
