import { isSmaller, isTwoToOne } from '../../manifest/index.js';
import type { Asset } from '../submission/submission.js';
import type { Check, PublishFinding } from './check.js';
import { kilobytes } from './icon.js';

const mostBytes = 1024 * 1024;

export const previews: Check = {
  code: 'publish/preview-images',
  title: 'Preview images',
  severity: 'warning',
  summary: 'The preview images are missing, too many, or not 1600 x 800 PNG files of at most 1 MB.',
  run({ assets }) {
    const images = assets.filter(({ role }) => role === 'preview');
    if (images.length === 0) {
      return {
        evidence: 'None.',
        findings: [
          {
            message:
              'The manifest has no preview images, so users cannot see the integration before they install it.',
            help: 'Add up to three images of 1600 x 800 pixels under previewImages.',
            path: ['previewImages'],
          },
        ],
      };
    }
    const findings = images.flatMap(faultsIn);
    if (images.length > 3) {
      findings.push({
        message: `Found ${images.length} preview images. At most three are allowed.`,
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
      message: `${path} is ${format ?? 'not an image'}, not a PNG.`,
      help: 'Save it as PNG.',
      ...at,
    });
  } else if (!isTwoToOne(width, height)) {
    findings.push({
      message: `${path} is ${width} x ${height}, not 2:1.`,
      help: 'Crop it to 2:1, ideally 1600 x 800 pixels.',
      ...at,
    });
  } else if (isSmaller(width, 1600)) {
    findings.push({
      message: `${path} is ${width} x ${height}, smaller than 1600 x 800.`,
      help: 'Export it at 1600 x 800 pixels or more.',
      ...at,
    });
  }
  if (bytes.length > mostBytes) {
    const size = `${kilobytes(bytes.length)}, and the limit is 1 MB`;
    findings.push({
      message: `${path} is ${size}.`,
      help: 'Compress it, for example by reducing the number of colors.',
      ...at,
    });
  }
  return findings;
}
