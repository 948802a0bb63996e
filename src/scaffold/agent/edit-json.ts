interface Member {
  key: string;
  start: number;
  /** The offset of the value. */
  value: number;
  end: number;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Returns the members of the object that starts at this offset. The text must be valid JSON. */
function membersOf(text: string, open: number): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let next: Partial<Member> = {};
  for (const { 0: found, index } of text.slice(open).matchAll(token)) {
    if (/^[}\]]$/.test(found)) depth -= 1;
    if (depth === 1 && found === ',') next = {};
    else if (depth === 1 && next.start === undefined)
      next = { key: JSON.parse(found) as string, start: open + index };
    else if (depth >= 1 && found !== ':') {
      if (next.value === undefined) members.push((next = { ...next, value: open + index }) as Member);
      const last = members.at(-1);
      if (last) last.end = open + index + found.length;
    }
    if (/^[{[]$/.test(found)) depth += 1;
    if (depth === 0) break;
  }
  return members;
}

/** Returns the offset of a member's value. If there are several members with this key, only the last one counts. */
export const valueOf = (text: string, open: number, key: string): number =>
  membersOf(text, open).findLast((member) => member.key === key)?.value ?? open;

/** Adds a member to the end of an object, with the line ends and the indentation of the text. */
export function addMember(
  text: string,
  { open, level }: { open: number; level: number },
  key: string,
  value: object,
): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const indent = unit.repeat(level);
  const member = `${JSON.stringify(key)}: ${JSON.stringify(value, undefined, unit)}`.replaceAll(
    '\n',
    `${lineEnd}${indent}`,
  );
  const last = membersOf(text, open).at(-1);
  if (last) return `${text.slice(0, last.end)},${lineEnd}${indent}${member}${text.slice(last.end)}`;
  // Without a line break, so that `wasEmpty` recognizes the author's own empty object.
  if (level > 1) return text.slice(0, open + 1) + member + text.slice(open + 1);
  const rest = text.slice(open + 1).trimStart();
  return `${text.slice(0, open + 1)}${lineEnd}${indent}${member}${lineEnd}${unit.repeat(level - 1)}${rest}`;
}

/** Whether an object was empty before `addMember` added its first member. */
export const wasEmpty = (text: string, open: number): boolean => text[open + 1] === '"';

export function removeMember(text: string, open: number, key: string): string {
  const members = membersOf(text, open);
  const at = members.findLastIndex((member) => member.key === key);
  const [before, member, after] = [members[at - 1], members[at], members[at + 1]];
  if (!member) return text;
  return before
    ? text.slice(0, before.end) + text.slice(member.end)
    : text.slice(0, member.start) + text.slice(after?.start ?? member.end);
}
