import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { llmsText } from './llms.js';
import { pagesToInstallFrom, withInstallText } from '../install-text.js';
import { referencePages } from './pages.js';

const folder = new URL('../../docs/reference/', import.meta.url);

mkdirSync(folder, { recursive: true });
for (const [file, render] of Object.entries(referencePages))
  writeFileSync(new URL(file, folder), `${render()}\n`);
writeFileSync(new URL('../llms.txt', folder), `${llmsText()}\n`);

for (const page of pagesToInstallFrom()) {
  const text = readFileSync(page, 'utf8');
  const current = withInstallText(text);
  if (current !== text) writeFileSync(page, current);
}
