import { basename, resolve } from 'node:path';
import { UserError } from '../../base/user-error.js';
import type { InitOptions, InitWorld, Question } from '../model/init-options.js';
import {
  checkFolder,
  checkPortable,
  checkName,
  checkOrganization,
  checkText,
  toName,
  toTitle,
  type Verdict,
} from './check-answers.js';
import { visibilities } from '../model/project.js';
import { templates } from '../model/template-list.js';

export type Answers = InitOptions & Required<Pick<InitOptions, 'folder' | 'template' | 'organization'>>;

/** Asks in the terminal. Without a terminal, reports all missing answers and the options for them. */
export async function askForMissing(
  options: InitOptions,
  world: Pick<InitWorld, 'cwd' | 'interactive' | 'ask'>,
): Promise<Answers | undefined> {
  const given = options.yes ? { ...defaults, ...defined(options) } : defined(options);
  const missing = required.filter(({ key }) => given[key] === undefined);
  if (missing.length > 0 && world.interactive && !options.yes) return askInRounds(options, world);
  const unnamed = given.folder !== undefined && !nameIn(given, world.cwd);
  const lacking = [...missing, ...(unnamed ? [nameFlag] : [])];
  if (lacking.length > 0) throw missingInputs(lacking, options.yes === true);
  const { folder = '', template = '', organization = '' } = given;
  return { ...given, folder, template, organization };
}

interface Input {
  key: 'folder' | 'template' | 'organization';
  flag: string;
  meaning: string;
}

export const defaults = { folder: '.', template: 'blank', organization: 'my-org' };

const required: readonly Input[] = [
  { key: 'folder', flag: '<folder>', meaning: 'where to create it, such as ticket-links' },
  { key: 'template', flag: '--template', meaning: `one of ${templates.map(({ name }) => name).join(', ')}` },
  { key: 'organization', flag: '--organization', meaning: 'the id or the subdomain of your organization' },
];
const nameFlag = { flag: '--name', meaning: 'needed because the folder name contains no letters' };

const nameIn = ({ name, folder = '' }: InitOptions, cwd: string): string =>
  name ?? toName(basename(resolve(cwd, folder)));

function missingInputs(lacking: readonly { flag: string; meaning: string }[], yes: boolean): UserError {
  const width = Math.max(...lacking.map(({ flag }) => flag.length));
  const list = lacking.map(({ flag, meaning }) => `${flag.padEnd(width)}  ${meaning}`);
  const missing = `Missing: ${lacking.map(({ flag }) => flag).join(', ')}.`;
  // At this point, the defaults have already been filled in.
  if (yes) return new UserError('missing-input', missing, list.join('\n'));
  return new UserError(
    'missing-input',
    `${missing} No terminal was found to ask for them.`,
    [...list, 'To use defaults where possible, add --yes.'].join('\n'),
  );
}

/** Asks in several rounds, because later questions depend on earlier answers. */
async function askInRounds(
  options: InitOptions,
  { cwd, ask }: Pick<InitWorld, 'cwd' | 'ask'>,
): Promise<Answers | undefined> {
  let answers = defined(options);
  const rounds: (() => Question[])[] = [
    () => [templateQuestion],
    () => [folderQuestion(cwd, `my-${answers.template}`)],
    () => (nameIn(answers, cwd) ? [] : [nameQuestion]),
    () => [titleQuestion(toTitle(nameIn(answers, cwd)))],
    () => [organizationQuestion, visibilityQuestion, installQuestion],
  ];
  for (const round of rounds) {
    const open = round().filter(({ name }) => !(name in answers));
    const replies = open.length > 0 ? await ask(open) : {};
    if (!replies) return undefined;
    answers = { ...answers, ...replies };
  }
  return answers as Answers;
}

const defined = (options: InitOptions): InitOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const templateQuestion: Question = {
  name: 'template',
  message: 'Which template?',
  type: 'select',
  choices: templates.map(({ name, summary }) => ({ title: name, value: name, description: summary })),
};

export const folderQuestion = (cwd: string, initial: string): Question => ({
  name: 'folder',
  message: 'Which folder?',
  type: 'text',
  initial,
  validate: checkFolder(cwd),
});

const nameQuestion: Question = {
  name: 'name',
  message: 'Name (used in URLs)?',
  type: 'text',
  validate: checkName,
};

const titleQuestion = (initial: string): Question => ({
  name: 'title',
  message: 'Title (shown to users)?',
  type: 'text',
  initial,
  validate: checkText('A title'),
});

const organizationQuestion: Question = {
  name: 'organization',
  message: 'Which organization owns it (id or subdomain)?',
  type: 'text',
  initial: defaults.organization,
  validate: checkOrganization,
};

const visibilityQuestion: Question = {
  name: 'visibility',
  message: 'Who can install it?',
  type: 'select',
  choices: visibilities.map((value, index) => ({
    title: value,
    value,
    description: ['only your organization', 'anyone with the install link', 'everyone'][index] ?? '',
  })),
};

const installQuestion: Question = {
  name: 'install',
  message: 'Install the dependencies now?',
  type: 'confirm',
  initial: true,
};

/** Values from the command line must follow the same rules as answers typed in the terminal. */
export function checkFlags(options: InitOptions): void {
  const checks: [flag: string, value: string | undefined, check: (text: string) => Verdict][] = [
    ['The folder', options.folder, checkPortable],
    ['--name', options.name, checkName],
    ['--title', options.title, checkText('A title')],
    ['--description', options.description, checkText('A description')],
    ['--organization', options.organization, checkOrganization],
  ];
  for (const [flag, value, check] of checks) {
    const verdict = value === undefined || check(value);
    if (verdict !== true)
      throw new UserError('bad-value', `${flag} cannot be ${JSON.stringify(value)}.`, verdict);
  }
}
