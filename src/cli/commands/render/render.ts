import { resolve } from 'node:path';
import { wrapText } from '../../../terminal/wrap-text.js';
import { renderFailure } from '../../session/render-failure.js';
import { defineCommand, InvalidValue, type CommandContext } from '../../context/command.js';
import type { RenderResult } from '../../../contract/routes/components.js';
import { nearest } from '../../../base/did-you-mean.js';
import type { IntegrationBlock } from '../../../protocol/integration.js';
import { blockForLink } from '../../../protocol/match-link.js';
import type { UIAction } from '../../../protocol/events.js';
import { connect } from '../../session/connect.js';
import {
  outcomeOfCalls,
  renderLikelyCause,
  renderVerdict,
  settledVerdict,
  strictOption,
  type Verdict,
} from '../../session/settled-calls.js';
import { noteBrokenBuild } from '../../session/note-broken-build.js';
import { targetOf, targetOptions, type TargetOptions } from '../../session/target-options.js';
import { readJsonObject } from '../../session/read-arguments.js';

interface RenderOptions extends TargetOptions {
  props?: string;
  state?: string;
  action?: string;
  strict?: boolean;
  screenshot?: string;
}

export const render = defineCommand<RenderOptions>({
  name: 'render',
  summary: 'render a component, or send an action to it',
  arguments: { '<component>': 'component id' },
  options: {
    '--props <json>': 'component props',
    '--state <json>': 'component state',
    '--action <action>': 'name of an action, or an action as JSON',
    '--screenshot <file>': {
      description: 'write a PNG image of it, 1600 x 800 pixels, with an installed browser',
      parse: parsePng,
    },
    ...targetOptions,
    ...strictOption,
  },
  examples: {
    'platform render counter': 'render it for the first time',
    [`platform render counter --props '{"start":3}' --action add`]:
      'send an action to it and render the result',
    'platform render counter --screenshot preview.png': 'make a preview image for the listing',
  },
  async run(context, [component = ''], options) {
    const client = await connect(context);
    const { props, state } = options;
    const action = options.action === undefined ? undefined : readAction(options.action);
    const drawn = await client.call('POST /render', {
      component,
      ...targetOf(options),
      ...(props && { props: readJsonObject(props, '--props') }),
      ...(state && { state: readJsonObject(state, '--state') }),
      ...(action && { action }),
    });
    await noteBrokenBuild(client, context);
    const rendered = drawn.type === 'open-modal' ? drawn.modal : drawn;
    const call = 'call' in rendered ? rendered.call : undefined;
    const verdict = await settledVerdict(client, call, context);
    const readBlock = async (): Promise<IntegrationBlock | undefined> =>
      (await client.call('GET /overview')).integration.blocks.find(({ id }) => id === component);
    if (options.screenshot !== undefined && drawn.type === 'element') {
      const { takePicture } = await import('../../../dev/static-site/take-picture.js');
      const title = (await readBlock())?.title ?? component;
      const file = resolve(context.cwd, options.screenshot);
      await takePicture(
        { component, title, first: drawn, base: new URL(client.siteLink ?? client.consoleOrigin).origin },
        file,
        context.io,
      );
      context.note(`Wrote ${options.screenshot}.`);
    }
    if (context.json) context.emit({ ...drawn, ...verdict });
    else {
      context.print(describe(drawn, verdict, context));
      const { warnings = [] } = drawn.type === 'element' ? drawn : {};
      for (const { message, help } of warnings)
        context.note(
          `${context.style.yellow('warning')} ${wrapText(`${message} ${help}`, context.wrapAt - 2, 8).join('\n  ')}`,
        );
      const doubt =
        action && drawn.type === 'element' && (await doubtAbout(action, drawn.element, readBlock));
      if (doubt) context.note(`${context.style.yellow('warning')} ${doubt}`);
      if (drawn.type !== 'error' && (warnings.length === 0 || verdict.severity === 'error'))
        for (const line of renderVerdict(verdict, context)) context.note(line);
    }
    return drawn.type === 'error' ? { kind: 'findings' } : outcomeOfCalls([verdict], options.strict);
  },
});

function parsePng(file: string): string {
  if (!/\.png$/i.test(file)) throw new InvalidValue('It must be a file that ends in .png.');
  return file;
}

const readAction = (text: string): UIAction =>
  text.startsWith('{') ? (readJsonObject(text, '--action') as UIAction) : { action: text };

/** Says if users can't cause this action, because its name has a typo or no pattern of the block matches its link. */
async function doubtAbout(
  { action, url }: UIAction,
  element: unknown,
  readBlock: () => Promise<IntegrationBlock | undefined>,
): Promise<string | undefined> {
  if (action === '@link.unfurl') {
    const block = await readBlock();
    return block && typeof url === 'string' && !blockForLink([block], url)
      ? `None of the block's patterns (blocks[].urlUnfurl) matches ${url}.`
      : undefined;
  }
  const known = [...JSON.stringify(element).matchAll(/"action":"([^"\\@]+)"/g)].map(([, name = '']) => name);
  const near = known.includes(action) ? undefined : nearest(action, known);
  return near && `The component has no element with the action ${action}. Did you mean ${near}?`;
}

type View = Pick<CommandContext, 'style' | 'width' | 'wrapAt'>;

function describe(drawn: RenderResult, verdict: Verdict, view: View): string {
  const { dim } = view.style;
  switch (drawn.type) {
    case 'element':
      return `${renderMarkup(drawn.element)}\n${dim(`state ${JSON.stringify(drawn.state)}  props ${JSON.stringify(drawn.props)}`)}`;
    case 'error':
      return [
        `The component failed to render: ${drawn.status}`,
        ...(drawn.failure ? renderFailure(drawn.failure, view) : [`  ${drawn.message}`]),
        ...renderLikelyCause(verdict, view.width),
        ...(drawn.call ? [dim(`  next: platform inspect ${drawn.call}`)] : []),
      ].join('\n');
    default:
      return JSON.stringify(drawn, undefined, 2);
  }
}

function renderMarkup(node: unknown, indent = ''): string {
  if (node === null || node === undefined || typeof node === 'boolean') return `${indent}(nothing)`;
  if (typeof node === 'string' || typeof node === 'number') return `${indent}${node}`;
  if (typeof node !== 'object') return `${indent}(unknown)`;
  if (Array.isArray(node)) return node.map((child) => renderMarkup(child, indent)).join('\n');
  const { type, children, ...props } = node as { type?: unknown; children?: unknown };
  const name = String(type);
  const attributes = Object.entries(props)
    .map(
      ([key, value]) =>
        ` ${key}=${typeof value === 'string' ? JSON.stringify(value) : `{${JSON.stringify(value)}}`}`,
    )
    .join('');
  const inner = (Array.isArray(children) ? children : [children]).filter(
    (child) => child !== undefined && child !== null,
  );
  if (inner.length === 0) return `${indent}<${name}${attributes} />`;
  if (inner.every((child) => typeof child !== 'object'))
    return `${indent}<${name}${attributes}>${inner.join('')}</${name}>`;
  return `${indent}<${name}${attributes}>\n${renderMarkup(inner, `${indent}  `)}\n${indent}</${name}>`;
}
