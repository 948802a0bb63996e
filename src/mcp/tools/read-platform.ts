import { readBody } from '../../base/text/read-body.js';
import { isUserError } from '../../base/user-error.js';
import type { Value } from '../answer/separate-untrusted-text.js';
import { linesOf } from '../../protocol/page/page-text.js';
import { blocksIn } from './blocks-in.js';
import { startHint, type ManifestProblem, type Tools } from './tool-context.js';
import {
  bodyText,
  callListItem,
  callSummary,
  chunks,
  eventText,
  frameText,
  headersText,
  isoTime,
  outboundItem,
  visitorAddresses,
} from './call-items.js';

type Item = { [name: string]: Value };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const startOf = (cursor: unknown): number => (/^\d{1,15}$/.test(text(cursor)) ? Number(cursor) : 0);

const given = <Field extends string>(input: Readonly<Record<string, unknown>>, ...fields: Field[]) =>
  Object.fromEntries(fields.map((field) => [field, input[field]])) as { [Name in Field]?: never };

const undefinedIf =
  (code: string) =>
  (error: unknown): undefined => {
    if (!isUserError(error) || error.code !== code) throw error;
  };
const undefinedIfMissing = undefinedIf('not-found');

export const platformTools: Tools<'status' | 'calls' | 'call' | 'deliveries' | 'problems' | 'page'> = {
  async status(_, { connect, version }) {
    const call = await connect();
    const [overview, problems] = await Promise.all([call('GET /overview'), call('GET /calls/problems')]);
    const { integration, lastBuild, installations } = overview;
    return {
      about: {
        platformVersion: version,
        version: overview.version,
        name: integration.name,
        title: integration.title,
        buildOk: lastBuild?.ok ?? true,
        errors: { ...problems.errors },
        warnings: { ...problems.warnings },
        publicEndpoint: overview.urls.publicEndpoint,
        scopes: integration.scopes.slice(0, 30),
        blocks: integration.blocks.slice(0, 30).map(({ id }) => id),
        secrets: integration.secrets.slice(0, 60),
      },
      items: [
        ...installations.map(({ id, status, sites, spaces, problems: wrong }) => ({
          installation: id,
          status,
          sites: sites.map(({ site }) => site).slice(0, 20),
          spaces: spaces.map(({ space }) => space).slice(0, 20),
          problems: wrong.slice(0, 10).map(({ property, message }) => ({ property, message })),
        })),
        ...overview.sites.map(({ id, title }) => ({ site: id, title })),
        ...overview.spaces.map(({ id, title }) => ({ space: id, title })),
      ],
      next:
        lastBuild?.ok === false || problems.errors.current > 0
          ? 'problems {}: lists each problem with its file and line'
          : 'calls {}: lists the calls',
    };
  },

  async calls(input, { connect }) {
    const { limit = 10, cursor } = input;
    const before = startOf(cursor) || undefined;
    const call = await connect();
    const filter = given(
      input,
      ...([
        'failed',
        'warnings',
        'current',
        'type',
        'component',
        'status',
        'path',
        'search',
        'since',
      ] as const),
    );
    const found = await call('GET /calls', { ...filter, before, limit: Number(limit) });
    const lines = found.toReversed();
    const position = (at: number): string => String((lines[at]?.position ?? 0) + 1);
    const errors = lines.filter(({ severity }) => severity === 'error');
    const worst = errors.find(({ type }) => type !== 'script') ?? errors[0];
    const last = lines.length === limit ? lines.at(-1)?.position : undefined;
    return {
      items: lines.map(callListItem),
      cursorAt: position,
      ...(last !== undefined && { after: String(last) }),
      next: worst ? `call {"call":"${worst.id}"}: shows the newest error in full` : 'status {}',
    };
  },

  async call({ call: id }, { connect }) {
    const call = await connect();
    const entry = await call('GET /calls/{call}', { call: text(id) });
    const isRequest = entry.event === undefined || entry.event.type === 'fetch';
    const [request, response, details, connections] = await Promise.all([
      isRequest
        ? call('GET /calls/{call}/request-body', { call: entry.id }).catch(undefinedIfMissing)
        : undefined,
      call('GET /calls/{call}/response-body', { call: entry.id }).catch(undefinedIfMissing),
      Promise.all(
        entry.outbound.map(async ({ details: number }) =>
          number === undefined
            ? undefined
            : call('GET /calls/{call}/outbound/{number}', { call: entry.id, number }).catch(
                undefinedIfMissing,
              ),
        ),
      ),
      entry.event ? call('GET /connections', { call: entry.id }) : [],
    ]);
    const { failure, logs, outbound, problems = [], warnings = [] } = entry;
    const items: Item[] = [
      {
        part: 'summary',
        ...callSummary(entry),
        method: entry.request?.method,
        url: entry.request?.url,
        status: entry.response?.status,
        error: entry.error,
        missingScope: entry.missingScope,
      },
      ...(failure
        ? [
            {
              part: 'code',
              file: failure.file,
              line: failure.line,
              message: failure.message,
              frame: frameText(failure.frame),
            },
          ]
        : []),
      ...problems.map(({ code, severity, message }) => ({ part: 'problem', code, severity, message })),
      ...warnings.map(({ message, help }) => ({ part: 'problem', severity: 'warning', message, help })),
      ...logs
        .slice(0, 200)
        .map((line) => ({ part: 'log', level: line.level, text: line.text, frame: frameText(line.frame) })),
      ...outbound.flatMap((one, at) => outboundItem(one, details[at])),
      ...connections.flatMap(({ steps }) =>
        steps.map(({ name, state, verdict, hint, call: by }) => ({
          part: 'step',
          name,
          state,
          verdict,
          hint,
          call: by,
        })),
      ),
      ...(entry.event ? chunks('event', eventText(entry.event)) : []),
      ...(entry.request ? [{ part: 'request', headers: headersText(entry.request.headers) }] : []),
      ...(request ? chunks('request', bodyText(readBody(request))) : []),
      ...(entry.response ? [{ part: 'response', headers: headersText(entry.response.headers) }] : []),
      ...(response ? chunks('response', bodyText(readBody(response))) : []),
    ];
    return {
      items: withoutAddresses(items, visitorAddresses(entry)),
      next:
        entry.severity === 'none' || !(entry.event ?? entry.request)
          ? 'calls {"failed":true}'
          : `Fix the line, wait for the new build, and then run: platform replay ${entry.id}`,
    };
  },

  async deliveries({ delivery, cursor, ...input }, { connect }) {
    const call = await connect();
    if (delivery === undefined) {
      const before = /^dlv_\d+(?:@|$)/.test(text(cursor)) ? text(cursor) : undefined;
      const filter = given(input, 'failed', 'state', 'endpoint');
      const found = await call('GET /deliveries', { ...filter, before, limit: 20 });
      return {
        items: found.map(({ id, endpointId, eventType, state, attempts, createdAt, url, lastResult }) => ({
          id,
          endpoint: endpointId,
          eventType,
          state,
          attempts,
          time: isoTime(createdAt),
          url,
          ...resultFields(lastResult),
        })),
        cursorAt: (at) => found[at - 1]?.id ?? '',
        ...(found.length === 20 && { after: found.at(-1)?.id ?? '' }),
        next: found[0] ? 'deliveries {"delivery":"…"}: shows each attempt' : 'status {}',
      };
    }
    const {
      delivery: one,
      call: source,
      attempts,
      body,
    } = await call('GET /deliveries/{delivery}', { delivery: text(delivery) });
    return {
      about: { id: one.id, state: one.state, eventType: one.eventType, url: one.url, call: source },
      items: [
        ...attempts.map(({ number, startedAt, durationMs, result }) => ({
          number,
          time: isoTime(startedAt),
          durationMs: Math.round(durationMs),
          ...resultFields(result),
          ...('body' in result && { content: bodyText(result.body).slice(0, 1500) }),
        })),
        ...chunks('event', redacted(body)),
      ],
      next:
        source === undefined ? 'status {}' : `call {"call":"${source}"}: the call that got the same event`,
    };
  },

  async problems(_, { connect, validate }) {
    const call = await connect().catch(undefinedIf('no-session'));
    if (!call) return { items: validate().map(manifestItem), next: startHint };
    const [{ lastBuild, version }, groups, listing] = await Promise.all([
      call('GET /overview'),
      call('GET /calls/problems'),
      call('GET /listing').catch(undefinedIfMissing),
    ]);
    const calls = groups.groups.filter(({ current }) => current > 0);
    return {
      about: { version, buildOk: lastBuild?.ok ?? true, callErrors: groups.errors.current },
      items: [
        ...(lastBuild?.problems ?? []).map((problem) => ({
          part: 'build',
          code: problem.code,
          severity: problem.severity,
          message: problem.message,
          help: problem.help,
          file: problem.file,
          line: problem.line,
          column: problem.column,
        })),
        ...calls.map(({ severity, reason, at, current, call: newest }) => ({
          part: 'calls',
          severity,
          reason,
          ...(at && { file: at.file, line: at.line, column: at.column }),
          calls: current,
          call: newest,
        })),
        ...(listing?.diagnostics ?? []).map(({ range, ...one }) =>
          manifestItem({ ...one, ...(range && { line: range.start.line, column: range.start.column }) }),
        ),
        ...(listing?.checks ?? [])
          .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
          .map(({ id, verdict, evidence, help }) => ({ part: 'publish', code: id, verdict, evidence, help })),
      ],
      next: calls[0]
        ? `call {"call":"${calls[0].call}"}: shows the first failing call in full`
        : 'explain {"code":"…"}: explains a code',
    };
  },

  async page({ space, page }, { connect }) {
    const call = await connect();
    const id = text(space) || (await call('GET /spaces'))[0]?.id || '';
    if (page === undefined) {
      const { pages, warnings } = await call('GET /content', { space: id });
      return {
        about: { space: id },
        items: [
          ...pages.map(({ id: one, path, title, file }) => ({ page: one, path, title, file })),
          ...warnings.map(({ file, message }) => ({ part: 'problem', file, message })),
        ],
        next: 'page {"page":"…"}: shows one of them with its blocks',
      };
    }
    const shown = await call('GET /content/page', { space: id, page: text(page) });
    const blocks = blocksIn(shown.blocks);
    return {
      about: {
        space: id,
        page: shown.id,
        title: shown.title,
        file: shown.source ?? shown.file,
        blocks: blocks.length,
      },
      items: [
        ...blocks.map(({ line, integration, component, props }) => ({
          part: 'block',
          line,
          integration,
          component,
          props: JSON.stringify(props),
        })),
        ...shown.problems.map(({ message, line }) => ({ part: 'problem', message, line })),
        ...chunks('page', linesOf(shown.blocks).join('\n')),
      ],
      next: 'calls {"type":"ui_render"}: lists the renders of its blocks',
    };
  },
};

const manifestItem = ({ code, severity, message, help, file, line, column }: ManifestProblem): Item => ({
  part: 'manifest',
  code,
  severity,
  message,
  help,
  file,
  line,
  column,
});

const resultFields = (
  result: { kind: string; status?: number; error?: string; message?: string } | undefined,
): Item =>
  result ? { result: result.kind, status: result.status, error: result.error, message: result.message } : {};

/** The body of a delivery is an event. Fields that contain visitors' addresses are omitted. */
function redacted(body: { encoding: string; content: string }): string {
  try {
    return eventText(JSON.parse(body.content));
  } catch {
    return bodyText(body);
  }
}

/** Removes visitors' addresses, because a script may log one or include it in a response. */
function withoutAddresses(items: readonly Item[], addresses: readonly string[]): Item[] {
  if (addresses.length === 0) return [...items];
  const hide = (value: Value): Value =>
    typeof value === 'string'
      ? addresses.reduce((shown, address) => shown.replaceAll(address, '[visitor address]'), value)
      : value;
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, hide(value)])),
  );
}
