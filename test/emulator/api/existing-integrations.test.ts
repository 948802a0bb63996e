import { expect, test } from 'vitest';
import { createCalled, shared } from '../calls/called.js';

const placement = ['configuration', 'installation', 'integration', 'urls.publicEndpoint'];
const installation = 'configuration externalIds id spaces target.organization urls.app urls.publicEndpoint';
const revision = 'createdAt id pages.0.id pages.0.path pages.0.title pages.0.type type urls.app urls.public';
const space = 'id title updatedAt visibility urls.app urls.public urls.published'.split(' ');
const answer =
  'answer.markdown followupQuestions sources.0.page sources.0.revision sources.0.space sources.0.type'
    .split(' ')
    .map((field) => `answer.${field}`);
const schema = ['jsonSchema.properties.unsigned.properties', 'jsonSchema.properties.unsigned.type'];
const claims = { type: 'object', properties: { unsigned: { type: 'object', properties: {} } } };
const git = { url: 'https://git.example', ref: 'main' };

/** The fields that 57 public integrations and their runtime read, found with the types of their API client. */
const read: Record<string, [fields: string | readonly string[], body?: object]> = {
  'GET /integrations/:integration/installations': [installation.replaceAll(/\S+/g, 'items.0.$&')],
  'GET /integrations/:integration/spaces': [
    ['count', 'items.0.space', ...placement.map((name) => `items.0.${name}`)],
  ],
  'GET …': [installation],
  'GET …/spaces/:space': [['space', ...placement]],
  'GET …/sites/:site': [['site', ...placement]],
  'PATCH …': [installation, {}],
  'PATCH …/spaces/:space': [placement, {}],
  'PATCH …/sites/:site': [placement, {}],
  'POST …/tokens': ['token'],
  'POST /integrations/:integration/tasks': ['id', { task: { type: 'refresh' } }],
  'GET /spaces/:space': [space],
  'GET /spaces/:space/content': [revision],
  'GET /spaces/:space/revisions/:revision': [revision],
  'GET /spaces/:space/revisions/:revision/changes': [
    'changes.0.type changes.0.page.path changes.0.page.title',
  ],
  'GET /spaces/:space/revisions/:revision/page/:page': ['title type urls.app'],
  'GET /urls/content': [space.map((name) => `space.${name}`)],
  'POST /spaces/:space/git/import': [[], git],
  'POST /spaces/:space/git/export': [[], git],
  'PUT /orgs/:organization/sites/:site/adaptive-schema': [schema, { jsonSchema: claims }],
  'GET /orgs/:organization/sites/:site/adaptive-schema': [schema],
  'GET /orgs/:organization/sites/:site': ['adaptiveContent.enabled urls.app urls.published'],
  'POST /orgs/:organization/ask': [answer, { query: 'Why?' }],
  'GET /orgs/:organization/ask/stream': [['type', ...answer]],
};

const ids: Record<string, string> = {
  integration: 'sample',
  installation: 'installation_1',
  organization: 'org_local',
  revision: 'r7',
  page: 'space_local_page_1',
};
const query: Record<string, string> = {
  '/urls/content': '?url=http://127.0.0.1:41000/console/spaces/space_local',
  '/orgs/:organization/ask/stream': '?query=Why&format=markdown',
};

test('returns every field that public integrations read, for each of their requests', async () => {
  const { get, tokens } = await createCalled({ integration: { ...shared, organizationInTarget: true } });
  for (const [request, [fields, body]] of Object.entries(read)) {
    const [method = '', route = ''] = request.split(' ');
    const path = route
      .replace('…', '/integrations/:integration/installations/:installation')
      .replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? `${name}_local`);
    const response = await get(`/api/v1${path}${query[route] ?? ''}`, {
      method,
      headers: { authorization: `Bearer ${tokens.first}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([request, response.ok]).toEqual([request, true]);
    const [, event] = /^data: (.*)$/m.exec(await response.clone().text()) ?? [];
    const resource: unknown = event === undefined ? await response.json() : JSON.parse(event);
    for (const field of typeof fields === 'string' ? fields.split(' ') : fields) {
      const value = field
        .split('.')
        .reduce<unknown>((from, name) => (from as Record<string, unknown> | undefined)?.[name], resource);
      expect({ request, field, value }).toEqual({ request, field, value: expect.anything() });
    }
  }
});
