import type { PublishFinding } from '../check.js';

const placeholder =
  /\b(?:lorem ipsum|change-?me|placeholder text|(?:description|summary|text|title) (?:goes )?here)\b|^(?:to-?do|placeholder)\b.{0,3}$|^to-?do:|^(?:test|foo|bar|asdf|x+|your (?:description|summary)|description|summary|my integration)\.?$/i;
/** As people leave marks: a to-do list is a thing to integrate. */
const mark = /\b(?:TODO|TBD|FIXME)\b|[<[{]your [^<>[\]{}]+[>\]}]/;

/** What is wrong with a text that people read before they install. */
export function faultsInText(text: string, path: PublishFinding['path'], shortest: number): PublishFinding[] {
  const at = path ? { path } : {};
  if (placeholder.test(text.trim()) || mark.test(text)) {
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
      message: `"${clip(text)}" is too short to say what the integration does.`,
      help: `Use ${shortest} characters or more.`,
      ...at,
    },
  ];
}

const clip = (text: string): string => {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
