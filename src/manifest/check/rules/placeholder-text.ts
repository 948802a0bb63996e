import type { Path } from '../../../diagnostics/model/rule.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { listAt, textAt } from '../../../base/value-at-path.js';
import { propertiesOf } from '../rule-support/configuration-properties.js';
import { showPath, showValue } from '../rule-support/list-in-words.js';

const placeholder =
  /^\s*(?:tbd|fixme|xxx+|change ?me|lorem ipsum|insert (?:text|description|title)|your (?:title|description|text|integration)|(?:title|description|summary) (?:here|goes here)|<[^<>]{1,60}>|\.\.\.|\u2026)\b/i;
/** Matches text that consists only of placeholder words. Longer text may really be about to-do lists or placeholder images. */
const signs = /^(?:to-?do(?:\s*:.*)?|placeholder|<[^<>]{1,60}>|\.\.\.|\u2026|\?+)$/i;
const mark = /^\s*TODO\b/;

export const placeholderText: ManifestRule = {
  code: 'manifest/placeholder-text',
  severity: 'warning',
  summary: "A text field is blank or still contains the template's placeholder.",
  *check({ value }) {
    for (const { path, optional } of textsToRead(value)) {
      const text = textAt(value, ...path);
      if (text === undefined) continue;
      if (text.trim() === '' && optional)
        yield { message: `${showPath(path)} is empty.`, help: 'Fill it in, or remove the field.', path };
      // An integration may really be called "todo".
      if (path[0] === 'title' && isNameOf(value, text)) continue;
      if (placeholder.test(text) || signs.test(text.trim()) || mark.test(text))
        yield {
          message: `${showPath(path)} still contains a placeholder: ${showValue(text)}.`,
          help: 'Replace it with your own text.',
          path,
        };
    }
  },
};

const isNameOf = (manifest: unknown, title: string): boolean => {
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return letters(title) !== '' && letters(title) === letters(textAt(manifest, 'name') ?? '');
};

interface TextField {
  path: Path;
  optional: boolean;
}

function textsToRead(value: unknown): TextField[] {
  const required = (...path: Path): TextField => ({ path, optional: false });
  const optional = (...path: Path): TextField => ({ path, optional: true });
  return [
    required('title'),
    required('description'),
    optional('summary'),
    ...[...listAt(value, 'blocks').keys()].flatMap((index) => [
      required('blocks', index, 'title'),
      optional('blocks', index, 'description'),
    ]),
    ...[...listAt(value, 'externalLinks').keys()].map((index) => required('externalLinks', index, 'label')),
    ...propertiesOf(value).flatMap(({ path }) => [
      optional(...path, 'title'),
      optional(...path, 'description'),
    ]),
  ];
}
