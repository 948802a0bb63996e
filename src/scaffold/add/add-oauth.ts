import { insertValue } from '../../manifest/fix/insert-value.js';
import { addMember, beginMethod } from './register-in-source.js';
import { createFile, editEntry, layoutOf, type Addition } from './addition.js';
import { addSecrets } from './add-secret.js';
import { alreadyThere, type ExistingProject } from './existing-project.js';

const button = {
  type: 'button',
  title: 'Account',
  description: 'The account that the integration uses.',
  button_text: 'Connect',
  callback_url: '/oauth',
};

const fetchMember = `async fetch(request, context) {
    if (routePath(request, context.environment) === '/oauth') return connect(request, context);
    return new Response('Not found', { status: 404 });
  }`;

/** Adds the route to an existing `fetch` if the names of its parameters are known. */
const addRoute = (source: string): string | undefined =>
  beginMethod(
    source,
    'fetch',
    ([request = '', context = '']) =>
      `if (routePath(${request}, ${context}.environment) === '/oauth') return connect(${request}, ${context});`,
  );

/** Adds a button, its callback, two secrets, and a test that connects an account. */
export function addOAuth(project: ExistingProject, randomText: () => string): Addition {
  const { manifest, language } = project;
  const section = ['configurations', 'account'];
  const path = [...section, 'properties', 'oauth_credentials'];
  if (manifest.integration.configurations.account?.properties['oauth_credentials']) {
    throw alreadyThere(project, {
      code: 'setting-exists',
      path,
      what: 'a property oauth_credentials',
      hint: 'Edit the existing property instead: an installation has only one connected account.',
    });
  }
  const withButton = insertValue(manifest.text, path, button);
  const withRequired = insertValue(withButton, [...section, 'required', '-'], 'oauth_credentials');
  const secrets = addSecrets(
    project,
    [
      { name: 'CLIENT_ID', value: `client_${randomText()}` },
      { name: 'CLIENT_SECRET', value: `secret_${randomText()}` },
    ],
    withRequired,
  );
  const { sources, entry } = layoutOf(project);
  const { files, byHand } = editEntry(
    project,
    {
      change: (source) => addRoute(source) ?? addMember(source, 'fetch', fetchMember),
      imports: { routePath: 'integration-platform', connect: './oauth' },
    },
    "In the entry file, import connect from ./oauth and start fetch with: if (routePath(request, context.environment) === '/oauth') return connect(request, context);",
  );
  return {
    files: new Map([
      ...files,
      ...secrets.files,
      createFile(project, `${sources}/oauth.${language}`, `oauth.${language}`, {}),
      createFile(project, `test/oauth.test.${language}`, `oauth.test.${language}`, { entry }),
    ]),
    byHand: [
      ...byHand,
      `Enter your provider's URLs in ${sources}/oauth.${language}. To try the connection offline first, run: platform dev --oauth-provider local`,
    ],
  };
}
