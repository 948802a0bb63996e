import { insertValue } from '../../manifest/fix/insert-value.js';
import { addImport, addMember, beginMethod } from './register-in-source.js';
import { createFile, editEntry, layoutOf, type Addition } from './addition.js';
import { addSecrets } from './add-secret.js';
import { alreadyThere, type ExistingProject } from './existing-project.js';

const button = {
  type: 'button',
  title: 'Account',
  description: 'The account that the integration acts for.',
  button_text: 'Connect',
  callback_url: '/oauth',
};

const fetchMember = `async fetch(request, context) {
    if (routePath(request, context.environment) === '/oauth') return connect(request, context);
    return new Response('Not found', { status: 404 });
  }`;

/** Into the `fetch` that is there, where it names what it is given. */
const addRoute = (source: string): string | undefined =>
  beginMethod(
    source,
    'fetch',
    ([request = '', context = '']) =>
      `if (routePath(${request}, ${context}.environment) === '/oauth') return connect(${request}, ${context});`,
  );

/** A button, its callback, two secrets, a test that goes to the provider and back. */
export function addOAuth(project: ExistingProject, randomText: () => string): Addition {
  const { manifest, language } = project;
  const section = ['configurations', 'account'];
  const path = [...section, 'properties', 'oauth_credentials'];
  if (manifest.integration.configurations.account?.properties['oauth_credentials']) {
    throw alreadyThere(project, {
      code: 'setting-exists',
      path,
      what: 'a setting oauth_credentials',
      hint: 'Change that one by hand: an installation has one such account.',
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
    (source) => {
      const added = addRoute(source) ?? addMember(source, 'fetch', fetchMember);
      return added && addImport(addImport(added, 'routePath', 'integration-platform'), 'connect', './oauth');
    },
    "Import connect from ./oauth into the entry file, and begin fetch with: if (routePath(request, context.environment) === '/oauth') return connect(request, context);",
  );
  return {
    files: new Map([
      ...files,
      ...secrets.files,
      createFile(project, `${sources}/oauth.${language}`, `oauth.${language}`, {}),
      createFile(project, `test/oauth.test.${language}`, `oauth.test.${language}`, { entry }),
    ]),
    byHand: [...byHand, `Put the addresses of your provider into ${sources}/oauth.${language}.`],
  };
}
