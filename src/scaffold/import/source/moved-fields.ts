/** A field that is nested in an object on other platforms, but is directly on the installation here. */
export interface MovedField {
  object: string;
  field: string;
  /** The key for the value in this platform's installations. */
  here: string;
}

export const movedFields: readonly MovedField[] = [
  { object: 'target', field: 'organization', here: 'organization' },
  { object: 'space', field: 'id', here: 'space' },
  { object: 'site', field: 'id', here: 'site' },
];

/** Matches `.`, `?.` or `!.`, on a single line or across a line break. */
export const link = String.raw`\s*(?:!\s*)?\??\.\s*`;
/** Matches names for an installation, such as `installation`, `installations[0]` and `spaceInstallations.at(-1)`. */
export const installation = String.raw`\b\w{0,100}[iI]nstallations?(?:\[[^\]\n]{0,100}\]|\.at\([^()\n]*\))?`;

/** Matches a field in a destructuring pattern, such as `space: id` or just `organization`. */
export const boundAs = (key: string, name: string): string =>
  new RegExp(String.raw`^${key}\b`).test(name) ? name : `${key}: ${name}`;
