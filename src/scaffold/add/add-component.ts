import { UserError } from '../../base/user-error.js';
import { manifestFileName } from '../../manifest/index.js';
import { insertValue } from '../../manifest/fix/insert-value.js';
import { toTitle } from '../init/check-answers.js';
import { addToCollection } from './register-in-source.js';
import { createFile, editEntry, layoutOf, toFileName, toVariable, type Addition } from './addition.js';
import { alreadyThere, type ExistingProject } from './existing-project.js';

export interface ComponentInput {
  name: string;
  title?: string;
  description?: string;
}

/** Reserved words, which cannot be used as variable names. */
const reserved =
  /^(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/;

/** Adds a block: a component, its entry in the manifest, and a test that clicks its button. */
export function addComponent(project: ExistingProject, input: ComponentInput): Addition {
  const {
    name: id,
    title = toTitle(toFileName(id)),
    description = `Inserts ${title.toLowerCase()}.`,
  } = input;
  const variable = toVariable(id);
  if (!/^[a-z]/i.test(variable) || reserved.test(variable)) {
    throw new UserError(
      'bad-name',
      `A component cannot be called "${id}".`,
      'Use letters, digits and hyphens, starting with a letter, such as status-card. JavaScript reserved words are not allowed.',
    );
  }
  const { integration, text } = project.manifest;
  const former = integration.blocks.findIndex((block) => block.id === id);
  if (former >= 0) {
    const path = ['blocks', former, 'id'];
    throw alreadyThere(project, { code: 'block-exists', path, what: `a block ${id}` });
  }
  const file = toFileName(id);
  const { sources, entry } = layoutOf(project);
  const values = { id, variable, entry };
  const { language } = project;
  const { files, byHand } = editEntry(
    project,
    {
      change: (source) => addToCollection(source, 'components', '[]', variable),
      imports: { [variable]: `./${file}` },
    },
    `In the entry file, import ${variable} from ./${file} and add it to components in createIntegration().`,
  );
  return {
    files: new Map([
      ...files,
      [manifestFileName, insertValue(text, ['blocks', '-'], { id, title, description })],
      createFile(project, `${sources}/${file}.${language}x`, `component.${language}x`, values),
      createFile(project, `test/${file}.test.${language}`, `component.test.${language}`, values),
    ]),
    byHand,
  };
}
