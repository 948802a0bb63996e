import type { JSX } from 'preact';
import type { ApiBody, ApiField, ApiOperation, ContainerNode } from '../../../protocol/page/page-tree.js';
import { Icon } from '../../ui/icon.js';
import { drawNodes, type NodeLook } from './draw-nodes.js';
import { parseMarkdown } from './markdown.js';

interface ApiOperationProps {
  node: ContainerNode;
  look: NodeLook;
}

/** An operation of an API with its parameters, bodies and examples, or a card that says why it is not shown. */
export function ApiOperationView({ node, look }: ApiOperationProps): JSX.Element {
  const { operation, attributes, children } = node;
  if (!operation) {
    const { method, path, schemas, summary, problem } = attributes;
    const [verb = '', what = node.name, note = 'This part of the API is not shown here.'] = [
      method,
      path ?? schemas,
      summary ?? problem,
    ].map((value) => (typeof value === 'string' ? value : undefined));
    return (
      <div class="bar embed">
        <span class="tile embed-icon">
          <Icon name="code" size={18} />
        </span>
        <span class="grow embed-text">
          <strong>{`${verb.toUpperCase()} ${what}`.trim()}</strong>
          <span class="quiet">{note}</span>
        </span>
      </div>
    );
  }
  const { method, server, path, text, isDeprecated, groups, responses } = operation;
  return (
    <div class="flow api">
      {drawNodes(children, look)}
      {isDeprecated && <p class="api-deprecated">Deprecated</p>}
      {text !== undefined && drawNodes(parseMarkdown(text), look)}
      <div class="bar well api-line">
        <span class="api-method" data-tone={tones[method] ?? 'calm'}>
          {method.toUpperCase()}
        </span>
        <code>
          <span class="quiet">{server}</span>
          {path}
        </code>
      </div>
      {groups.map((group) => (
        <section key={group.title} class="flow">
          <p class="bar api-title">
            {group.title} <span class="quiet">{group.type}</span>
          </p>
          <Fields fields={group.fields} look={look} />
        </section>
      ))}
      {look.code({ kind: 'code', language: 'sh', title: 'Request', text: requestOf(operation) })}
      {responses.length > 0 && <p class="bar api-title">Responses</p>}
      {responses.map((response, at) => (
        <Response key={response.title} response={response} look={look} isOpen={at === 0} />
      ))}
    </div>
  );
}

const tones: Readonly<Record<string, string>> = {
  get: 'info',
  post: 'ok',
  put: 'warn',
  patch: 'warn',
  delete: 'bad',
};

function Response({ response, look, isOpen }: ResponseProps): JSX.Element {
  const { title, type, text = '', fields, example } = response;
  return (
    <details class="fold" open={isOpen}>
      <summary class="bar">
        <Icon name="right" />
        <code class="api-status" data-tone={title.startsWith('2') ? 'ok' : 'bad'}>
          {title}
        </code>
        <span class="api-text">{text}</span>
      </summary>
      <div class="flow">
        <Fields fields={fields} look={look} />
        {example !== undefined &&
          look.code({ kind: 'code', language: 'json', title: type ?? 'Example', text: example })}
        {fields.length === 0 && example === undefined && <p class="quiet">This response has no body.</p>}
      </div>
    </details>
  );
}

interface ResponseProps extends Pick<ApiOperationProps, 'look'> {
  response: ApiBody;
  isOpen: boolean;
}

const Fields = ({ fields, look }: { fields: readonly ApiField[]; look: NodeLook }): JSX.Element => (
  <ul class="api-fields">
    {fields.map(({ name, type, isRequired, notes, text, fields: inner }) => (
      <li key={name}>
        <div class="row">
          <code class="api-name">{name}</code> <span class="quiet">{type}</span>{' '}
          {isRequired && <span class="api-required">required</span>}
        </div>
        {text !== undefined && <div class="api-text">{drawNodes(parseMarkdown(text), look)}</div>}
        {notes.length > 0 && <p class="quiet api-text">{notes.join(' · ')}</p>}
        {inner.length > 0 && (
          <details class="api-inner">
            <summary>{inner.length === 1 ? '1 property' : `${inner.length} properties`}</summary>
            <Fields fields={inner} look={look} />
          </details>
        )}
      </li>
    ))}
  </ul>
);

/** Returns the command that sends an example of the request. */
function requestOf({ method, server, path, groups }: ApiOperation): string {
  const key = groups.find(({ title }) => title === 'Authorization')?.fields[0];
  const body = groups.find(({ title }) => title === 'Body');
  return [
    `curl ${method === 'get' ? '' : `--request ${method.toUpperCase()} `}'${server}${path}'`,
    ...(key ? [`  --header '${key.name}: ${key.name === 'Authorization' ? 'Bearer ' : ''}<token>'`] : []),
    ...(body?.example === undefined
      ? []
      : [
          `  --header 'Content-Type: ${body.type ?? 'application/json'}'`,
          `  --data '${body.example.replaceAll("'", "'\\\\''")}'`,
        ]),
  ].join(' \\\n');
}
