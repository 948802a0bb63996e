import { createHash } from 'node:crypto';
import { isSmaller, isSquare } from '../../manifest/index.js';
import type { Check, PublishFinding } from './check.js';

const mostBytes = 250 * 1024;

/** The hash of the icon that `platform init` creates. */
const ofTemplates = '314a1f19ef31fce4e34af49b98908004404eea09228d86fe0c6df6474bf3ef17';

export const icon: Check = {
  code: 'publish/icon',
  title: 'Icon',
  severity: 'warning',
  summary:
    'The icon is missing, copied from a template, or not a square PNG of at least 512 pixels and at most 250 KB.',
  run({ assets }) {
    const found = assets.find(({ role }) => role === 'icon');
    if (!found) {
      return {
        evidence: 'None.',
        findings: [
          { message: 'The manifest has no icon.', help: 'Add a 512 x 512 pixel PNG.', path: ['icon'] },
        ],
      };
    }
    const { path, bytes, format, width = 0, height = 0 } = found;
    const findings: PublishFinding[] = [];
    const report = (message: string, help: string): void =>
      void findings.push({ message, help, path: ['icon'] });
    if (createHash('sha256').update(bytes).digest('hex') === ofTemplates)
      report("This is the template's icon.", 'Replace it with an icon of your own.');
    if (format !== 'png') report(`The icon is ${format ?? 'not an image'}, not a PNG.`, 'Save it as PNG.');
    else if (!isSquare(width, height))
      report(`The icon is ${width} x ${height}, not square.`, 'Crop it to a square.');
    else if (isSmaller(width, 512)) {
      report(
        `The icon is ${width} x ${height}, smaller than 512 x 512.`,
        'Export it at 512 x 512 pixels or more.',
      );
    }
    if (bytes.length > mostBytes) {
      report(
        `The icon is ${kilobytes(bytes.length)}, and the limit is 250 KB.`,
        'Compress it, for example by reducing the number of colors.',
      );
    }
    return { evidence: `${path}: ${format}, ${width} x ${height}, ${kilobytes(bytes.length)}.`, findings };
  },
};

export const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
