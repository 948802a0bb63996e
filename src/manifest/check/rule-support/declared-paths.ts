import { textAt, textsAt } from '../../../base/value-at-path.js';

export interface ProjectPath {
  path: (string | number)[];
  text: string;
  role: 'script' | 'icon' | 'preview';
}

/** The paths that a manifest names; empty ones are told elsewhere. */
export function projectPathsOf(value: unknown): ProjectPath[] {
  const single = (role: 'script' | 'icon'): ProjectPath[] => [
    { path: [role], text: textAt(value, role) ?? '', role },
  ];
  const previews = textsAt(value, 'previewImages').map(({ text, index }): ProjectPath => ({
    path: ['previewImages', index],
    text,
    role: 'preview',
  }));
  return [...single('script'), ...single('icon'), ...previews].filter(({ text }) => text.trim() !== '');
}
