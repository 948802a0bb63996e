import type { Path } from '../../../diagnostics/model/rule.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { listAt, textAt } from '../../../base/value-at-path.js';
import { propertiesOf } from '../rule-support/configuration-properties.js';
import { showPath, showValue } from '../rule-support/list-in-words.js';

/** Matches the beginning of a text that no author writes on purpose. */
const placeholder =
  /^(?:tbd|fixme|xxx+|change ?me|lorem ipsum|insert (?:text|description|title)|(?:title|description|summary) (?:here|goes here))\b|^to-?do\s*:|^<[^<>]{0,60}\b(?:your|here|title|description|summary|text|name)\b[^<>]{0,60}>/i;
/** Matches text that consists only of placeholder words. Longer text may really be about to-do lists or your integration. */
const signs =
  /^(?:to-?do|placeholder|your (?:title|description|text|integration)(?: (?:goes )?here)?|<[^<>]{1,60}>|\.\.\.|\u2026|\?+)[.!]?$/i;

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
      if (placeholder.test(text.trim()) || signs.test(text.trim()))
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
