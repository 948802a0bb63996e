import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../base/value-at-path.js';
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

/**
 * Returns the changes that set up coding agents for the platform. With `remove`, returns the changes that undo the setup, and
 * tells `leave` what someone has changed, so that only they can remove it.
 */
export function planAgentSetup(
  read: (path: string) => string | undefined,
  { remove, leave = () => {} }: { remove: boolean; leave?: (what: string) => void },
): AgentFile[] {
  const plan = (path: string, edit: (before: string | undefined) => string | undefined): AgentFile => {
    const before = read(path);
    return { path, before, after: edit(before) };
  };
  return [
    plan('AGENTS.md', (text) => (remove ? withoutSection(text) : withSection(text))),
    plan('.agents/skills/platform/SKILL.md', (text) => (remove ? withoutSkill(text, leave) : skillPointer)),
    ...[
      { path: '.mcp.json', list: 'mcpServers', server },
      { path: '.vscode/mcp.json', list: 'servers', server: { type: 'stdio', ...server } },
    ].map(({ path, ...entry }) =>
      plan(path, (text) =>
        remove ? withoutServer(path, text, entry, leave) : withServer(path, text, entry),
      ),
    ),
  ].filter(({ before, after }) => before !== after);
}

/** Formatters may change the white space. */
function withoutSkill(text: string | undefined, leave: (what: string) => void): string | undefined {
  const [own, ours] = [text ?? '', skillPointer].map((one) => one.replaceAll(/\s+/g, ' ').trim());
  if (text === undefined || own === ours) return undefined;
  leave('.agents/skills/platform/SKILL.md was changed. Delete it if you no longer need it.');
  return text;
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

interface ServerEntry {
  /** The member of the file that contains the servers. */
  list: string;
  server: object;
}

/** Adds this platform's server. The rest of the text stays the same, byte for byte. */
function withServer(
  path: string,
  text: string | undefined,
  { list, server: ours }: ServerEntry,
): string | undefined {
  const mark = text?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const own = text?.slice(mark.length) ?? '{}\n';
  if (own === '') return text;
  const whole = parseObject(own, (found) => JSON.parse(found) as unknown);
  const at = whole && Object.hasOwn(whole, list) ? whole[list] : undefined;
  const servers = at ?? {};
  if (!whole || !isRecord(servers))
    throw new UserError(
      'unreadable-file',
      `${path} is not plain JSON with an object "${list}".`,
      `Add this yourself: ${JSON.stringify({ [list]: { [serverName]: ours } })}`,
    );
  const present = Object.hasOwn(servers, serverName) ? servers[serverName] : undefined;
  if (present !== undefined && !isDeepStrictEqual(present, ours))
    throw new UserError(
      'name-taken',
      `${path} already has a server "${serverName}" with another command.`,
      'Rename or remove that server, then run the command again.',
    );
  if (present !== undefined) return text;
  const root = own.indexOf('{');
  return (
    mark +
    (at === undefined || at === null
      ? addMember(own, { open: root, level: 1 }, list, { [serverName]: ours })
      : addMember(own, { open: valueOf(own, root, list), level: 2 }, serverName, ours))
  );
}

/** Removes this platform's server. The rest of the text stays the same, byte for byte. */
function withoutServer(
  path: string,
  text: string | undefined,
  { list, server: ours }: ServerEntry,
  leave: (what: string) => void,
): string | undefined {
  const [, mark = '', own = ''] = /^(\uFEFF?)([^]*)$/.exec(text ?? '') ?? [];
  const whole = parseObject(own, (found) => JSON.parse(found) as unknown);
  const place = `"${serverName}" in "${list}" in ${path}`;
  if (!whole) {
    if (own.includes(`"${serverName}"`)) leave(`${path} is not plain JSON. Remove ${place}.`);
    return text;
  }
  const servers = Object.hasOwn(whole, list) ? whole[list] : undefined;
  if (!isRecord(servers) || !Object.hasOwn(servers, serverName)) return text;
  if (!isDeepStrictEqual(servers[serverName], ours)) {
    leave(`${place} was changed. Remove it if it starts this platform.`);
    return text;
  }
  const root = own.indexOf('{');
  const open = valueOf(own, root, list);
  if (Object.keys(servers).length > 1 || wasEmpty(own, open))
    return mark + removeMember(own, open, serverName);
  return Object.keys(whole).length > 1 ? mark + removeMember(own, root, list) : undefined;
}
