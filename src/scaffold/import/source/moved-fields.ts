/** A field that is nested in an object on other platforms, but directly in an installation here. */
export interface MovedField {
  /** Key of the object. */
  object: string;
  /** Key in the object. */
  field: string;
  /** The key under which this platform's installation stores the value. */
  here: string;
}

export const movedFields: readonly MovedField[] = [
  { object: 'target', field: 'organization', here: 'organization' },
  { object: 'space', field: 'id', here: 'space' },
  { object: 'site', field: 'id', here: 'site' },
];

/** `.`, `?.` or `!.`, on one line or two. */
export const link = String.raw`\s*(?:!\s*)?\??\.\s*`;
/** Names for an installation: `installation`, `installations[0]`, `spaceInstallations.at(-1)`. */
export const installation = String.raw`\b\w*[iI]nstallations?(?:\[[^\]\n]{0,100}\]|\.at\([^()\n]*\))?`;

/** A field in a destructuring pattern: `space: id`, or just `organization`. */
export const boundAs = (key: string, name: string): string =>
  new RegExp(String.raw`^${key}\b`).test(name) ? name : `${key}: ${name}`;
