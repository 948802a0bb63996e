import { listAt, recordAt, textAt } from '../../../base/value-at-path.js';
import { readTree, toValue } from '../../../manifest/index.js';
import { lineOf } from '../model/open-decision.js';
import { quoted, type AutoRun } from './auto-run.js';

/** Returns a decision for each setting in `platform.dev.yaml` that reaches beyond the project, even if others are invalid. */
export function devChoices(text: string): AutoRun[] {
  const { root } = readTree(text);
  if (!root)
    return [{ message: 'This file is not valid YAML, so it may choose an editor, folders or servers.' }];
  const settings = toValue(root);
  const choice = (part: string | undefined, message: string): AutoRun[] => {
    const line = part === undefined ? undefined : lineOf(text, part);
    const whole = {
      ...(line !== undefined && { line }),
      message: `${message} Keep it only if you trust it.`,
    };
    return part === undefined ? [] : [whole];
  };
  const editor = textAt(settings, 'editor');
  return [
    ...choice(editor && 'editor', `platform dev uses the editor ${quoted(editor ?? '')}.`),
    ...listAt(settings, 'spaces').flatMap((space) => {
      const content = textAt(space, 'content');
      return choice(content, `platform dev serves pages from the folder ${quoted(content ?? '')}.`);
    }),
    ...Object.entries(recordAt(settings, 'outbound')).flatMap(([host, double]) =>
      choice(
        textAt(double, 'credentials') === 'real' ? host : undefined,
        `platform dev sends real secrets for ${quoted(host)} to another server.`,
      ),
    ),
  ];
}
