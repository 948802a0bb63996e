import type { PublishFinding } from '../check.js';

const placeholder =
  /\b(lorem ipsum|to-?do|tbd|fixme|change ?me|placeholder|(?:description|summary|text|title) (?:goes )?here|your (?:integration|description|summary|company))\b|^(test|foo|bar|asdf|x+|description|summary|my integration)\.?$/i;

/** What is wrong with a text that people read before they install. */
export function faultsInText(text: string, path: PublishFinding['path'], shortest: number): PublishFinding[] {
  const at = path ? { path } : {};
  if (placeholder.test(text.trim())) {
    return [
      {
        message: `This is placeholder text: "${clip(text)}".`,
        help: 'Say what the integration does.',
        ...at,
      },
    ];
  }
  if (text.trim().length >= shortest) return [];
  return [
    {
      message: `"${clip(text)}" says too little.`,
      help: `Say what the integration does, in ${shortest} characters or more.`,
      ...at,
    },
  ];
}

const clip = (text: string): string => {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
