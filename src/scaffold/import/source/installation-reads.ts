import { notesAt, type Note } from '../open-decision.js';
import { rewriteDestructuredReads } from './destructured-reads.js';
import { boundAs, installation, link, movedFields, type MovedField } from './moved-fields.js';

/** Reads of an installation's fields that have another form here, and what is left of them for the author. */
export function rewriteInstallationReads(text: string): { text: string; notes: Note[] } {
  const holder = [installation, ...installationsOf(text).map((name) => `(?<![.\\w$])${name}`)].join('|');
  const direct = movedFields.reduce(
    (before, { object, field, here }) =>
      before.replaceAll(
        new RegExp(`((?:${holder})${link})${object}${link}${field}\\b`, 'g'),
        (_, start: string) => start + here,
      ),
    text,
  );
  const { text: rewritten, notes } = rewriteDestructuredReads(fromPartOf(direct));
  return { text: rewritten, notes: [...notes, ...readsLeft(rewritten)] };
}

/** `const { data } = await api.integrations.getIntegrationInstallationById(…)` */
const installationsOf = (text: string): string[] => [
  ...new Set(
    [
      ...text.matchAll(
        /\bdata(?:\s*:\s*(\w+))?\s*\}\s*=\s*await\s+[^;{}]*?\.(?:get|update)Integration\w*Installation\w*\(/g,
      ),
    ].map(([, alias]) => alias ?? 'data'),
  ),
];

/** `const { organization } = installation.target` reads from the installation itself here. */
const fromPartOf = (text: string): string =>
  movedFields.reduce(
    (before, { object, field, here }) =>
      before.replaceAll(
        new RegExp(
          String.raw`\{\s*${field}\b\s*(?::\s*(\w+)\s*)?,?\s*\}(\s*=\s*(?:[\w$]+${link})*${installation}!?)\s*\??\.\s*${object}\b(?!${link}|\s*[[(])`,
          'g',
        ),
        (_, alias: string | undefined, source: string) => `{ ${boundAs(here, alias ?? field)} }${source}`,
      ),
    text,
  );

const explained: Readonly<Record<string, string>> = {
  target: 'an installation has its organization beside its target here: read installation.organization',
  space: 'the space of an installation is its id here: read spaceInstallation.space',
  site: 'the site of an installation is its id here: read siteInstallation.site',
};

function readsLeft(text: string): Note[] {
  return [
    ...notesAt(
      text,
      new RegExp(String.raw`[\w$\])]${link}target${link}organization\b`, 'g'),
      () => `It reads .target.organization; ${explained['target']}, if this is one.`,
    ),
    // Comparing the target with a word is right here.
    ...notesAt(
      text,
      new RegExp(String.raw`${installation}${link}target\b(?!${link}organization|\s*[!=]==)`, 'g'),
      () => `It reads the target of an installation as an object; ${explained['target']}.`,
    ),
    ...notesAt(
      text,
      new RegExp(
        String.raw`\{[^{}]*\btarget\b[^{}]*\}\s*=\s*(?:[\w$]+${link})*${installation}\s*(?:[;,)\n?|]|$)`,
        'g',
      ),
      () => `It takes the target of an installation as an object; ${explained['target']}.`,
    ),
    ...movedFields.filter(({ object }) => object !== 'target').flatMap((moved) => readsOfPart(text, moved)),
    ...notesAt(
      text,
      new RegExp(String.raw`${installation}\s*!?\s*(?:\?\.)?\s*\[\s*['"](target)['"]\s*\]`, 'g'),
      () => `It reads the target of an installation as an object; ${explained['target']}.`,
    ),
  ];
}

/** `const { space } = spaceInstallation`, and then `space.id`. */
function readsOfPart(text: string, { object, field }: MovedField): Note[] {
  const bound = new RegExp(
    String.raw`\{[^{}]*\b${object}\b(?:\s*:\s*(\w+))?[^{}]*\}\s*=\s*(?:[\w$]+${link})*${installation}\s*(?:[;,)\n?|]|$)` +
      String.raw`|(\w+)\s*=\s*(?:[\w$]+${link})*${installation}${link}${object}\s*(?:[;,\n]|$)`,
    'g',
  );
  const names = new Set([...text.matchAll(bound)].map(([, alias, variable]) => variable ?? alias ?? object));
  return [...names].flatMap((name) =>
    notesAt(
      text,
      new RegExp(String.raw`(?<![.\w$])${name}${link}${field}\b`, 'g'),
      () => `It reads ${name}.${field}; ${explained[object]}.`,
    ),
  );
}
