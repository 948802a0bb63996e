/** This file must stay two levels below the package root in both `src` and `dist`. */
export const packageFolder = new URL('../../', import.meta.url);
export const docsFolder = new URL('docs/', packageFolder);
export const schemasFolder = new URL('schemas/', packageFolder);
