import type { PublishFinding } from './check.js';

const placeholder =
  /\b(?:lorem ipsum|change-?me|placeholder text|(?:description|summary|text|title) (?:goes )?here)\b|^(?:to-?do|placeholder)\b.{0,3}$|^to-?do:|^(?:test|foo|bar|asdf|x+|your (?:description|summary)|description|summary|my integration)\.?$/i;
/** Markers of unfinished text. A lower-case "todo" may be about to-do lists. */
const mark = /\b(?:TODO|TBD|FIXME)\b|[<[{]your [^<>[\]{}]+[>\]}]/;

/** Problems of a text that people read before they install. */
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
