import { notesAt, type Note } from '../model/open-decision.js';
import { rewriteDestructuredReads } from './destructured-reads.js';
import { boundAs, installation, link, movedFields, type MovedField } from './moved-fields.js';

/**
 * Rewrites reads of installation fields that are different on this platform, and adds notes where the author must make
 * changes.
 */
export function rewriteInstallationReads(text: string): { text: string; notes: Note[] } {
  const variables = new Set(installationsOf(text));
  const direct = movedFields.reduce(
    (before, { object, field, here }) =>
      before.replaceAll(
        new RegExp(String.raw`((?:${installation}|(?<![.\w$])(\w+))${link})${object}${link}${field}\b`, 'g'),
        (whole, start: string, variable: string | undefined) =>
          variable === undefined || variables.has(variable) ? start + here : whole,
      ),
    text,
  );
  const { text: rewritten, notes } = rewriteDestructuredReads(fromPartOf(direct));
  return { text: rewritten, notes: [...notes, ...readsLeft(rewritten)] };
}

/** Matches `const { data } = await api.integrations.getIntegrationInstallationById(…)`. */
const installationsOf = (text: string): string[] => [
  ...new Set(
    [
      ...text.matchAll(
        /\bdata(?:\s*:\s*(\w+))?\s*\}\s*=\s*await\s[^;{}]*?\.(?:get|update)Integration(?=\w*Installation)\w*\(/g,
      ),
    ].map(([, alias]) => alias ?? 'data'),
  ),
];

/** `const { organization } = installation.target` must read from the installation itself. */
const fromPartOf = (text: string): string =>
  movedFields.reduce(
    (before, { object, field, here }) =>
      before.replaceAll(
        new RegExp(
          String.raw`\{\s*${field}\b\s*(?::\s*(\w+)\s*)?(?:,\s*)?\}(\s*=\s*(?:[\w$]+${link})*${installation}!?)\s*\??\.\s*${object}\b(?!${link}|\s*[[(])`,
          'g',
        ),
        (_, alias: string | undefined, source: string) => `{ ${boundAs(here, alias ?? field)} }${source}`,
      ),
    text,
  );

const explained: Readonly<Record<string, string>> = {
  target:
    'the organization of an installation is not in its target on this platform, so read installation.organization instead',
  space: 'the space of an installation is an id on this platform, so read spaceInstallation.space instead',
  site: 'the site of an installation is an id on this platform, so read siteInstallation.site instead',
};

function readsLeft(text: string): Note[] {
  return [
    ...notesAt(
      text,
      new RegExp(String.raw`[\w$\])]${link}target${link}organization\b`, 'g'),
      () => `This code reads .target.organization. If the object is an installation, ${explained['target']}.`,
    ),
    // On this platform, it is correct to compare the target with a string.
    ...notesAt(
      text,
      new RegExp(String.raw`${installation}${link}target\b(?!${link}organization|\s*[!=]==)`, 'g'),
      () => `This code reads an installation's target as an object: ${explained['target']}.`,
    ),
    ...notesAt(
      text,
      new RegExp(
        String.raw`\{(?=[^{}]*\btarget\b)[^{}]*\}\s*=\s*(?:[\w$]+${link})*${installation}\s*(?:[;,)\n?|]|$)`,
        'g',
      ),
      () => `This code uses an installation's target as an object: ${explained['target']}.`,
    ),
    ...movedFields.filter(({ object }) => object !== 'target').flatMap((moved) => readsOfPart(text, moved)),
    ...notesAt(
      text,
      new RegExp(String.raw`${installation}\s*(?:!\s*)?(?:\?\.\s*)?\[\s*['"](target)['"]\s*\]`, 'g'),
      () => `This code reads an installation's target as an object: ${explained['target']}.`,
    ),
  ];
}

/** Finds `const { space } = spaceInstallation` if `space.id` follows. */
function readsOfPart(text: string, { object, field }: MovedField): Note[] {
  const bound = new RegExp(
    String.raw`\{(?=[^{}]*\b${object}\b(?:\s*:\s*(\w+))?)[^{}]*\}\s*=\s*(?:[\w$]+${link})*${installation}\s*(?:[;,)\n?|]|$)` +
      String.raw`|\b(\w+)\s*=\s*(?:[\w$]+${link})*${installation}${link}${object}\s*(?:[;,\n]|$)`,
    'g',
  );
  const names = new Set([...text.matchAll(bound)].map(([, alias, variable]) => variable ?? alias ?? object));
  const read = new RegExp(String.raw`(?<![.\w$])(\w+)${link}${field}\b`, 'g');
  return names.size === 0
    ? []
    : notesAt(text, read, ([, name = '']) =>
        names.has(name) ? `This reads ${name}.${field}: ${explained[object]}.` : undefined,
      );
}
