import type { JSX } from 'preact';
import type { ApiBody, ApiField, ApiOperation, ContainerNode } from '../../../protocol/page/page-tree.js';
import { Icon } from '../../ui/icon.js';
import { drawNodes, type NodeLook } from './draw-nodes.js';
import { parseMarkdown } from './markdown.js';
import { TabSet } from './tab-set.js';

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
      <div class="bar card embed">
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
  const code = (language: string, source: string): JSX.Element =>
    look.code({ kind: 'code', language, text: source });
  const examples = responses.filter(({ example }) => example !== undefined);
  return (
    <div class="flow api">
      <div class="flow">
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
        {responses.length > 0 && <p class="bar api-title">Responses</p>}
        {responses.map((response, at) => (
          <Response key={response.title} response={response} look={look} isOpen={at === 0} />
        ))}
      </div>
      <div class="flow api-examples">
        <TabSet
          name={`request-${node.start}`}
          tabs={[
            { title: 'curl', content: code('sh', curlOf(operation)) },
            { title: 'JavaScript', content: code('js', fetchOf(operation)) },
          ]}
        />
        {examples.length > 0 && (
          <TabSet
            name={`response-${node.start}`}
            tabs={examples.map(({ title, example = '' }) => ({ title, content: code('json', example) }))}
          />
        )}
      </div>
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
    <details class="card fold" open={isOpen}>
      <summary class="bar">
        <Icon name="right" />
        <code class="api-status" data-tone={title.startsWith('2') ? 'ok' : 'bad'}>
          {title}
        </code>
        <span class="api-text">{text}</span>
      </summary>
      <div class="flow">
        {type !== undefined && <p class="quiet api-text">{type}</p>}
        <Fields fields={fields} look={look} />
        {fields.length === 0 && example === undefined && <p class="quiet">This response has no body.</p>}
      </div>
    </details>
  );
}

interface ResponseProps extends Pick<ApiOperationProps, 'look'> {
  response: ApiBody;
  isOpen: boolean;
}

const Fields = ({ fields, look }: { fields: readonly ApiField[]; look: NodeLook }): JSX.Element | null =>
  fields.length === 0 ? null : (
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

/** Returns what an example of the request consists of. */
function requestOf({ method, server, path, groups }: ApiOperation) {
  const key = groups.find(({ title }) => title === 'Authorization')?.fields[0];
  const { example, type = 'application/json' } = groups.find(({ title }) => title === 'Body') ?? {};
  const headers: [name: string, value: string][] = [];
  if (key) headers.push([key.name, `${key.name === 'Authorization' ? 'Bearer ' : ''}<token>`]);
  if (example !== undefined) headers.push(['Content-Type', type]);
  return {
    method: method.toUpperCase(),
    url: server + path,
    headers,
    example,
    isJson: type.includes('json'),
  };
}

function curlOf(operation: ApiOperation): string {
  const { method, url, headers, example } = requestOf(operation);
  return [
    `curl ${method === 'GET' ? '' : `--request ${method} `}'${url}'`,
    ...headers.map(([name, value]) => `  --header '${name}: ${value}'`),
    ...(example === undefined ? [] : [`  --data '${example.replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n');
}

function fetchOf(operation: ApiOperation): string {
  const { method, url, headers, example, isJson } = requestOf(operation);
  const body = isJson ? `JSON.stringify(${example?.replaceAll('\n', '\n  ')})` : JSON.stringify(example);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0
      ? []
      : ['  headers: {', ...headers.map(([name, value]) => `    '${name}': '${value}',`), '  },']),
    ...(example === undefined ? [] : [`  body: ${body},`]),
  ];
  const rest = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch('${url}'${rest});\nconst result = await response.json();`;
}
