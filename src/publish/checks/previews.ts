import { isSmaller, isTwoToOne } from '../../manifest/index.js';
import type { Asset } from '../submission/submission.js';
import type { Check, PublishFinding } from '../check.js';
import { kilobytes } from './icon.js';

const mostBytes = 1024 * 1024;

export const previews: Check = {
  code: 'publish/preview-images',
  title: 'Preview images',
  severity: 'warning',
  summary: 'There are one to three previews: PNG, 2:1, 1600 x 800 pixels, at most 1 MB each.',
  run({ assets }) {
    const images = assets.filter(({ role }) => role === 'preview');
    if (images.length === 0) {
      return {
        evidence: 'No preview image.',
        findings: [
          {
            message:
              'The manifest has no preview image, so the installation page cannot show what people get.',
            help: 'Add up to three pictures of 1600 x 800 pixels as previewImages.',
            path: ['previewImages'],
          },
        ],
      };
    }
    const findings = images.flatMap(faultsIn);
    if (images.length > 3) {
      findings.push({
        message: `There are ${images.length} preview images, more than three.`,
        help: 'Keep the best three.',
        path: ['previewImages'],
      });
    }
    const list = images.map(
      ({ path, width, height, bytes }) => `${path}: ${width} x ${height}, ${kilobytes(bytes.length)}`,
    );
    return { evidence: `${list.join('; ')}.`, findings };
  },
};

function faultsIn({ path, where, bytes, format, width = 0, height = 0 }: Asset): PublishFinding[] {
  const findings: PublishFinding[] = [];
  const at = { path: where };
  if (format !== 'png') {
    findings.push({
      message: `${path} is ${format ?? 'not a picture'}, not a PNG.`,
      help: 'Save it as PNG.',
      ...at,
    });
  } else if (!isTwoToOne(width, height)) {
    findings.push({
      message: `${path} is ${width} x ${height}, not twice as wide as high.`,
      help: 'Crop it to 2:1; 1600 x 800 pixels is recommended.',
      ...at,
    });
  } else if (isSmaller(width, 1600)) {
    findings.push({
      message: `${path} is ${width} x ${height}, smaller than 1600 x 800.`,
      help: 'Save it larger.',
      ...at,
    });
  }
  if (bytes.length > mostBytes) {
    const size = `${kilobytes(bytes.length)}, more than 1 MB`;
    findings.push({ message: `${path} has ${size}.`, help: 'Save it with fewer colours.', ...at });
  }
  return findings;
}
