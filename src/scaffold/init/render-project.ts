import { fillIn } from '../files/fill-template.js';
import type { Project } from '../project.js';
import { toBytes, toText, type ProjectFiles } from '../files/files-in-memory.js';
import { readTemplate } from '../files/read-template.js';
import { renderPackageJson } from './render-package-json.js';
import { renderEnv, renderEnvExample } from './render-env.js';
import { yamlList, yamlText } from '../../manifest/fix/yaml-literal.js';

const pictures = /\.png$/;

/** Every file of a new project. The same project gives the same bytes. */
export function renderProject(project: Project): ProjectFiles {
  const inText = plainValues(project);
  const inManifest = { ...inText, ...manifestValues(project) };
  const files = readTemplate(project.template.name, project.language);
  for (const [path, bytes] of files) {
    if (pictures.test(path)) continue;
    const values = path === 'platform-manifest.yaml' ? inManifest : inText;
    files.set(path, toBytes(fillIn(toText(bytes), values)));
  }
  files.set('package.json', toBytes(renderPackageJson(project)));
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

const manifestValues = ({ name, title, description, organization, visibility, scopes }: Project) => ({
  name: yamlText(name),
  title: yamlText(title),
  description: yamlText(description),
  organization: yamlText(organization),
  visibility,
  scopes: yamlList(scopes),
});
