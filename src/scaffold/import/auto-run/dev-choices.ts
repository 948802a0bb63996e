import { parseDevSettings } from '../../../manifest/index.js';
import { lineOf } from '../model/open-decision.js';
import { quoted, type AutoRun } from './auto-run.js';

/** Returns a decision for each setting in `platform.dev.yaml` that reaches beyond the project. */
export function devChoices(text: string): AutoRun[] {
  const loaded = parseDevSettings(text);
  if (!loaded.ok) return [];
  const { editor, workspace, outbound } = loaded.value;
  const choice = (part: string, message: string): AutoRun => {
    const line = lineOf(text, part);
    return { ...(line !== undefined && { line }), message: `${message} Keep it only if you trust it.` };
  };
  return [
    ...(editor === undefined ? [] : [choice('editor', `platform dev uses the editor ${quoted(editor)}.`)]),
    ...workspace.spaces.flatMap(({ content }) =>
      content === undefined
        ? []
        : [choice(content, `platform dev serves pages from the folder ${quoted(content)}.`)],
    ),
    ...Object.entries(outbound?.hosts ?? {}).flatMap(([host, { credentials }]) =>
      credentials === 'real'
        ? [choice(host, `platform dev sends real secrets for ${quoted(host)} to another server.`)]
        : [],
    ),
  ];
}
