import { manifest, source, type check, type Files } from '../project-under-check.js';

/** A good project with one defect, and the check that must report it. */
export type Defect = [
  what: string,
  files: Files,
  code: string,
  options?: Parameters<typeof check>[1] & { verdict?: 'warn' | 'fail' },
];

export const inManifest = (before: string, after: string): Files => {
  if (!manifest.includes(before)) throw new Error(`The manifest has no ${before}.`);
  return { 'platform-manifest.yaml': manifest.replace(before, after) };
};
export const inSource = (before: string, after: string): Files => {
  if (!source.includes(before)) throw new Error(`The source has no ${before}.`);
  return { 'src/index.tsx': source.replace(before, after) };
};
export const before = (code: string): Files => ({ 'src/index.tsx': `${code}\n${source}` });
export const after = (code: string): Files => ({ 'src/index.tsx': `${source}${code}` });
