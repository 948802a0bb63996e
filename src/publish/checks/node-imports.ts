import type { Check } from '../check.js';

export const nodeImports: Check = {
  code: 'publish/node-import',
  title: 'Web APIs',
  severity: 'error',
  summary: 'The script needs no module of Node.',
  look({ bundle, building }) {
    if (!bundle) return { evidence: 'The script does not build.', person: 'Make it build first.' };
    const found = building.filter(({ code }) => code === 'bundle/node-import');
    if (found.length === 0) return { evidence: 'It imports no module of Node.' };
    return {
      evidence: `It imports modules of Node in ${found.length === 1 ? 'one place' : `${found.length} places`}.`,
      findings: found.map(({ message, help, file, range }) => ({
        message,
        file,
        ...(help !== undefined && { help }),
        ...(range && { range }),
      })),
    };
  },
};
