import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../base/user-error.js';
import { parseObject } from '../tools/parse-object.js';
import { addMember, removeMember, valueOf, wasEmpty } from './edit-json.js';
import { agentsSection, sectionEnd, sectionStart, server, serverName, skillPointer } from './agent-texts.js';

/** A file to write, or to remove if `after` is undefined. */
export interface AgentFile {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** Returns the changes that set up coding agents for the platform. With `remove`, returns the changes that undo the setup. */
export function planAgentSetup(
  read: (path: string) => string | undefined,
  { remove }: { remove: boolean },
): AgentFile[] {
  const plan = (path: string, edit: (before: string | undefined) => string | undefined): AgentFile => {
    const before = read(path);
    return { path, before, after: edit(before) };
  };
  return [
    plan('AGENTS.md', (text) => (remove ? withoutSection(text) : withSection(text))),
    plan('.agents/skills/platform/SKILL.md', (text) =>
      remove ? (text === skillPointer ? undefined : text) : skillPointer,
    ),
    plan('.mcp.json', (text) => editServers('.mcp.json', text, { list: 'mcpServers', server, remove })),
    plan('.vscode/mcp.json', (text) =>
      editServers('.vscode/mcp.json', text, {
        list: 'servers',
        server: { type: 'stdio', ...server },
        remove,
      }),
    ),
  ].filter(({ before, after }) => before !== after);
}

function withSection(text: string | undefined): string {
  if (text === undefined) return agentsSection;
  const section = agentsSection.replaceAll('\n', lineEndOf(text));
  const found = sectionIn(text);
  if (found) return text.slice(0, found.start) + section + text.slice(found.end);
  const gap = text === '' || text.endsWith('\n') ? '' : lineEndOf(text);
  return `${text}${gap}${text.trim() === '' ? '' : lineEndOf(text)}${section}`;
}

function withoutSection(text: string | undefined): string | undefined {
  const found = text === undefined ? undefined : sectionIn(text);
  if (text === undefined || !found) return text;
  const before = text.slice(0, found.start).replace(/(\r?\n)\r?\n$/, '$1');
  const rest = before + text.slice(found.end);
  return rest.trim() === '' ? undefined : rest;
}

function sectionIn(text: string): { start: number; end: number } | undefined {
  const start = text.indexOf(sectionStart);
  const end = text.indexOf(sectionEnd);
  if (start === -1 && end === -1) return undefined;
  if (
    start === -1 ||
    end < start ||
    text.includes(sectionStart, start + 1) ||
    text.includes(sectionEnd, end + 1)
  )
    throw new UserError(
      'broken-section',
      `AGENTS.md does not have exactly one "${sectionStart}" followed by one "${sectionEnd}".`,
      'Remove the lines with these markers, then run the command again.',
    );
  const after = end + sectionEnd.length;
  const [lineEnd = ''] = /^\r?\n/.exec(text.slice(after)) ?? [];
  return { start, end: after + lineEnd.length };
}

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Adds or removes this platform's server. The rest of the text stays the same, byte for byte. */
function editServers(
  path: string,
  text: string | undefined,
  { list, server: ours, remove }: { list: string; server: object; remove: boolean },
): string | undefined {
  const mark = text?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const own = text?.slice(mark.length) ?? (remove ? '' : '{}\n');
  if (own === '') return text;
  const whole = parseObject(own, (found) => JSON.parse(found) as unknown);
  const servers = whole?.[list] ?? {};
  if (!whole || typeof servers !== 'object' || servers === null || Array.isArray(servers))
    throw new UserError(
      'unreadable-file',
      `${path} is not plain JSON with an object "${list}".`,
      `Add this yourself: ${JSON.stringify({ [list]: { [serverName]: ours } })}`,
    );
  const present = Object.hasOwn(servers, serverName)
    ? (servers as Record<string, unknown>)[serverName]
    : undefined;
  if (present !== undefined && !isDeepStrictEqual(present, ours)) {
    if (remove) return text;
    throw new UserError(
      'name-taken',
      `${path} already has a server "${serverName}" with another command.`,
      'Rename or remove that server, then run the command again.',
    );
  }
  if ((present === undefined) === remove) return text;
  const at = Object.hasOwn(whole, list) ? whole[list] : undefined;
  const root = own.indexOf('{');
  if (remove) {
    const open = valueOf(own, root, list);
    if (Object.keys(servers).length > 1 || wasEmpty(own, open))
      return mark + removeMember(own, open, serverName);
    return Object.keys(whole).length > 1 ? mark + removeMember(own, root, list) : undefined;
  }
  return (
    mark +
    (at === undefined || at === null
      ? addMember(own, { open: root, level: 1 }, list, { [serverName]: ours })
      : addMember(own, { open: valueOf(own, root, list), level: 2 }, serverName, ours))
  );
}
