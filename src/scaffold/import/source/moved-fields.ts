/** A field that an installation keeps in an object elsewhere, and by itself here. */
export interface MovedField {
  /** The key of the object. */
  object: string;
  /** The key in the object. */
  field: string;
  /** The key of the installation that has the value here. */
  here: string;
}

export const movedFields: readonly MovedField[] = [
  { object: 'target', field: 'organization', here: 'organization' },
  { object: 'space', field: 'id', here: 'space' },
  { object: 'site', field: 'id', here: 'site' },
];

/** `.`, `?.` or `!.`, on one line or two. */
export const link = String.raw`\s*!?\s*\??\.\s*`;
/** What is called an installation: `installation`, `installations[0]`, `spaceInstallations.at(-1)`. */
export const installation = String.raw`\b\w*[iI]nstallations?(?:\[[^\]\n]*\]|\.at\([^()\n]*\))?`;

/** A field in a destructuring pattern: `space: id`, or `organization` alone. */
export const boundAs = (key: string, name: string): string =>
  new RegExp(String.raw`^${key}\b`).test(name) ? name : `${key}: ${name}`;
