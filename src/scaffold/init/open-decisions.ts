import type { Project } from '../project.js';

/** What a new project leaves to its author before it can be published. */
export const todoOf = ({ template, organization, visibility, language }: Project): string[] => [
  ...(organization === 'my-org' ? ['Set organization in platform-manifest.yaml to your own.'] : []),
  ...(visibility === 'public' ? [] : ['Set visibility to public before you submit it to the marketplace.']),
  ...template.todo.map((text) => `${text}.${language}.`),
  'Put a picture of your own into assets/icon.png, and add externalLinks to your documentation and support.',
];
