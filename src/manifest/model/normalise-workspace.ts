import {
  defaultWorkspace,
  type Organization,
  type PreparedAnswer,
  type Site,
  type Space,
  type Workspace,
} from '../../protocol/workspace.js';
import { listAt, textAt, textsAt, valueAt } from '../../base/value-at-path.js';

export function normaliseWorkspace(value: unknown): Workspace {
  const [defaultOwn, ...others] = defaultWorkspace.organizations;
  const own = normaliseOrganization(value, defaultOwn);
  const spaces = listAt(value, 'spaces').flatMap((space) => normaliseSpace(space, own.id));
  const ownSpaces = spaces.length > 0 ? spaces : moveTo(own.id, defaultWorkspace.spaces);
  const all = ownSpaces.map(({ id }) => id);
  const answers = listAt(value, 'answers').flatMap(normaliseAnswer);
  const sites = listAt(value, 'sites').flatMap((site) => normaliseSite(site, own.id, all));
  return {
    organizations: [own, ...others.filter(({ id }) => id !== own.id)],
    spaces: ownSpaces,
    sites:
      sites.length > 0
        ? sites
        : moveTo(own.id, defaultWorkspace.sites).map((site) => ({ ...site, spaces: all })),
    ...(answers.length > 0 && { answers }),
    ...normaliseVisitor(value),
    ...normaliseNetwork(value),
  };
}

const moveTo = <Owned extends { organization: string }>(
  organization: string,
  owned: readonly Owned[],
): Owned[] => owned.map((one) => ({ ...one, organization }));

function normaliseOrganization(value: unknown, otherwise: Organization): Organization {
  const id = textAt(value, 'organization', 'id');
  if (id === undefined) return otherwise;
  const subdomain = textAt(value, 'organization', 'subdomain');
  const title = textAt(value, 'organization', 'title') ?? id;
  return { id, title, ...(subdomain !== undefined && { subdomain }) };
}

function normaliseSpace(value: unknown, organization: string): Space[] {
  const id = textAt(value, 'id');
  if (id === undefined) return [];
  const emoji = textAt(value, 'emoji');
  const visibility = (['public', 'unlisted', 'private'] as const).find(
    (one) => one === textAt(value, 'visibility'),
  );
  const content = textAt(value, 'content');
  return [
    {
      id,
      title: textAt(value, 'title') ?? id,
      organization,
      visibility: visibility ?? 'public',
      ...(emoji !== undefined && { emoji }),
      ...(content !== undefined && { content }),
    },
  ];
}

function normaliseSite(value: unknown, organization: string, allSpaces: string[]): Site[] {
  const id = textAt(value, 'id');
  if (id === undefined) return [];
  const named = textsAt(value, 'spaces').map(({ text }) => text);
  return [
    { id, title: textAt(value, 'title') ?? id, organization, spaces: named.length > 0 ? named : allSpaces },
  ];
}

function normaliseAnswer(value: unknown): PreparedAnswer[] {
  const markdown = textAt(value, 'answer');
  if (markdown === undefined) return [];
  const question = textAt(value, 'question');
  const followupQuestions = textsAt(value, 'followupQuestions').map(({ text }) => text);
  return [{ ...(question !== undefined && { question }), markdown, followupQuestions }];
}

function normaliseVisitor(value: unknown): Pick<Workspace, 'visitor'> {
  const cookies = valueAt(value, ['visitor', 'cookies']);
  if (typeof cookies !== 'object' || cookies === null) return {};
  const texts = Object.entries(cookies).filter(([, text]) => typeof text === 'string');
  return { visitor: { cookies: Object.fromEntries(texts) as Record<string, string> } };
}

function normaliseNetwork(value: unknown): Pick<Workspace, 'network'> {
  const proxy = valueAt(value, ['network', 'proxy']);
  return typeof proxy === 'boolean' ? { network: { proxy } } : {};
}
