import type { PublishFinding } from './check.js';

const placeholder =
  /\b(?:lorem ipsum|change-?me|placeholder text|(?:description|summary|text|title) (?:goes )?here)\b|^(?:to-?do|placeholder)\b.{0,3}$|^to-?do:|^(?:test|foo|bar|asdf|x+|your (?:description|summary)|description|summary|my integration)\.?$/i;
/**
 * Matches text that marks something as unfinished. It does not match "todo" in lower case, because the text may be about to-do
 * lists.
 */
const mark = /\b(?:TODO|TBD|FIXME)\b|[<[{]your [^<>[\]{}]+[>\]}]/;

/** The text that `platform init` generates, which describes the sample code. */
const ofTemplates = new Set([
  'Adds a counter that readers can press.',
  'Receives signed webhooks, and handles each event once.',
  'Connects an account on another service, and shows its profile.',
  'Sends a message when a space changes, and logs which pages are viewed.',
  'Responds with a greeting at its public endpoint.',
  'Insert the block from the quick-insert menu. Its button counts how often it was pressed.',
  "Create a webhook with the URL of the installation's public endpoint, followed by `/webhook`.",
  'Press **Connect** in the configuration and approve access. The integration then acts on your behalf.',
  'Enter a URL in the configuration. It receives a message whenever a space changes.',
  "Open the installation's public endpoint to see a greeting.",
]);

/** Returns problems in the text that people read before installing the integration. */
export function faultsInText(text: string, path: PublishFinding['path'], shortest: number): PublishFinding[] {
  const at = path ? { path } : {};
  if (placeholder.test(text.trim()) || mark.test(text)) {
    return [
      {
        message: `This is placeholder text: "${clip(text)}".`,
        help: 'Describe what the integration does.',
        ...at,
      },
    ];
  }
  if (ofTemplates.has(text.trim())) {
    return [
      {
        message: `This is the template's text: "${clip(text)}".`,
        help: 'Describe what the integration does.',
        ...at,
      },
    ];
  }
  if (text.trim().length >= shortest) return [];
  return [
    {
      message: `"${clip(text)}" is too short to explain what the integration does.`,
      help: `Use at least ${shortest} characters.`,
      ...at,
    },
  ];
}

const clip = (text: string): string => {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
