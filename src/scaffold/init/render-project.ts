import { posix } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { renderSamplePages } from '../../content/sample-pages.js';
import { fillIn } from '../files/fill-template.js';
import type { Project } from '../model/project.js';
import { toBytes, toText, type ProjectFiles } from '../files/files-in-memory.js';
import { readTemplate } from '../files/read-template.js';
import { yamlList, yamlText } from '../../manifest/fix/yaml-literal.js';
import type { TemplateSecret } from '../model/template-list.js';

const pictures = /\.png$/;

/** Renders all files of a new project. The same input always produces the same bytes. */
export function renderProject(project: Project): ProjectFiles {
  const inText = plainValues(project);
  const inManifest = { ...inText, ...manifestValues(project) };
  const inRecording = recordingValues(project);
  const files = readTemplate(project.template.name, project.language);
  for (const [path, bytes] of files) {
    if (pictures.test(path)) continue;
    const values = path.startsWith('recordings/')
      ? inRecording
      : path === 'platform-manifest.yaml'
        ? inManifest
        : inText;
    files.set(path, toBytes(fillIn(toText(bytes), values)));
  }
  const { name, title, template } = project;
  for (const [page, text] of Object.entries(renderSamplePages([{ name, title, blocks: template.blocks }])))
    files.set(`docs/${page}`, toBytes(text));
  files.set('package.json', toBytes(renderPackageJson(project)));
  // Without this setting, Yarn installs no node_modules, where the script's process looks for packages.
  if (project.packageManager.name === 'yarn' && project.nodeModules === './node_modules')
    files.set('.yarnrc.yml', toBytes('nodeLinker: node-modules\n'));
  files.set('.env.example', toBytes(renderEnvExample(project.template.secrets)));
  files.set('.env', toBytes(renderEnv(project.template.secrets, project.secretValues)));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function plainValues({ template, name, title, description, packageManager, language }: Project) {
  const jsx = `${language}x`;
  return {
    name,
    title,
    description,
    js: language,
    jsx,
    entry: `src/index.${template.name === 'block' ? jsx : language}`,
    install: packageManager.install,
    cleanInstall: packageManager.cleanInstall,
    run: packageManager.run,
    exec: packageManager.exec,
    workflowSetup: packageManager.workflowSetup,
  };
}

const manifestValues = (project: Project) => {
  const { name, title, description, organization, visibility, scopes, nodeModules } = project;
  return {
    nodeModules,
    name: yamlText(name),
    title: yamlText(title),
    description: yamlText(description),
    organization: yamlText(organization),
    visibility,
    scopes: yamlList(scopes),
  };
};

const recordingValues = ({ name, title, nodeModules }: Project): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      name,
      title,
      nodeModules: posix.join('..', nodeModules),
      platform: manifest.version,
    }).map(([key, value]) => [key, JSON.stringify(value).slice(1, -1)]),
  );

const without = (heading: string): string => `# ${heading}\n# "platform add secret NAME" declares one.\n`;

function renderEnvExample(secrets: readonly TemplateSecret[]): string {
  const heading = 'Copy this file to .env and fill in the secrets.';
  if (secrets.length === 0) return without(heading);
  const lines = secrets.map(({ name, meaning }) => `# ${sentence(meaning)}\n${name}=\n`);
  return `# ${heading}\n\n${lines.join('\n')}`;
}

/** Renders the local values, which are generated for this computer. */
function renderEnv(secrets: readonly TemplateSecret[], values: Readonly<Record<string, string>>): string {
  const heading = 'Secret values for this computer. Git ignores this file.';
  if (secrets.length === 0) return without(heading);
  const lines = secrets.map(({ name, meaning }) => `# ${sentence(meaning)}\n${name}=${values[name] ?? ''}\n`);
  return `# ${heading}\n\n${lines.join('\n')}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function renderPackageJson({ template, name, sdk }: Project): string {
  const content = {
    name: name.toLowerCase(),
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      dev: ['platform dev', template.devFlags].filter(Boolean).join(' '),
      test: 'vitest run',
      check: 'platform validate && platform types --check && tsc && vitest run',
      'publish-check': 'platform publish-check',
    },
    devDependencies: { 'integration-platform': sdk, typescript: '^5.9.0', vitest: '^4.1.0' },
    engines: { node: '>=20.19' },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
