import { isJson } from '../../../base/parse-json.js';
import { formatJson } from '../../../base/text/pretty-json.js';
import { addressOf, type CallDraft, type Pair } from '../../../protocol/compose/call-draft.js';
import type { Input } from '../../../contract/console-api.js';
import { requestProblems, type FieldProblem } from '../../../protocol/compose/request-problems.js';
import type { InstalledTarget } from '../../../contract/basics/resources.js';
import type { Values } from '../../markup/basics/read-markup.js';

export type BodyKind = 'none' | 'text' | 'json' | 'form' | 'file';

export interface ComposedRequest {
  target?: InstalledTarget | undefined;
  method: string;
  path: string;
  query: Pair[];
  headers: Pair[];
  body: { kind: BodyKind; text: string; form: Pair[]; file?: ChosenFile };
}

export interface ChosenFile {
  name: string;
  type: string;
  /** The content, encoded as base64. */
  content: string;
}

export interface ComposedEvent {
  target?: InstalledTarget | undefined;
  /** Defaults to the first event type. */
  type?: string;
  /** Defaults to a sample event of this type. */
  payload?: Values;
  /** The JSON text of the event, while the user is editing it as JSON. */
  raw?: string;
}

export interface ComposedCall {
  mode: 'request' | 'event';
  request: ComposedRequest;
  event: ComposedEvent;
}

export const emptyCall: ComposedCall = {
  mode: 'event',
  request: { method: 'GET', path: '/', query: [], headers: [], body: { kind: 'none', text: '', form: [] } },
  event: {},
};

export function composedFrom(draft: CallDraft): ComposedCall {
  if (draft.kind === 'event') {
    const { target, type, event } = draft;
    return { ...emptyCall, mode: 'event', event: { target, type, payload: event } };
  }
  const { target, method, path, query, headers } = draft;
  return {
    ...emptyCall,
    mode: 'request',
    request: { target, method, path, query, headers, body: bodyFrom(draft) },
  };
}

function bodyFrom({ body, headers }: Extract<CallDraft, { kind: 'request' }>): ComposedRequest['body'] {
  const none = emptyCall.request.body;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (!body) return none;
  const { content } = body;
  if (body.encoding === 'base64')
    return { ...none, kind: 'file', file: { name: 'the recorded body', type, content } };
  if (type.includes('json')) return { ...none, kind: 'json', text: formatJson(content) ?? content };
  return type.startsWith('application/x-www-form-urlencoded')
    ? { ...none, kind: 'form', form: [...new URLSearchParams(content)] }
    : { ...none, kind: 'text', text: content };
}

interface ReadyRequest {
  input: Input<'POST /requests'>;
  problems: FieldProblem[];
}

export function readyRequest({ target, method, path, query, headers, body }: ComposedRequest): ReadyRequest {
  const filled = headers.map((pair, row) => ({ pair, row })).filter(({ pair }) => isFilled(pair));
  const { content, type, problem } = readBody(body);
  const isTyped = filled.some(({ pair: [name] }) => name.toLowerCase() === 'content-type');
  const input = {
    ...target,
    method: method.trim(),
    path: addressOf({ path: path.trim(), query: query.filter(isFilled) }),
    headers: [
      ...filled.map(({ pair }) => pair),
      ...(type === undefined || isTyped ? [] : [['content-type', type] satisfies Pair]),
    ],
    ...(content && { body: content }),
  };
  const problems = requestProblems(input).map(({ path: at, message }) => {
    const [field, index = ''] = at.split('.');
    return { path: field === 'headers' ? `headers.${filled[Number(index)]?.row}` : at, message };
  });
  return { input, problems: problem ? [...problems, problem] : problems };
}

const isFilled = ([name, value]: Pair): boolean => name !== '' || value !== '';

interface ReadBody {
  content?: NonNullable<Input<'POST /requests'>['body']>;
  type?: string;
  problem?: FieldProblem;
}

function readBody({ kind, text, form, file }: ComposedRequest['body']): ReadBody {
  switch (kind) {
    case 'none':
      return {};
    case 'text':
      return { content: { encoding: 'utf-8', content: text }, type: 'text/plain;charset=utf-8' };
    case 'json':
      return {
        content: { encoding: 'utf-8', content: text },
        type: 'application/json',
        ...(isJson(text) ? {} : { problem: { path: 'body', message: "The body isn't JSON." } }),
      };
    case 'form':
      return {
        content: { encoding: 'utf-8', content: new URLSearchParams(form.filter(isFilled)).toString() },
        type: 'application/x-www-form-urlencoded',
      };
    case 'file':
      return file
        ? {
            content: { encoding: 'base64', content: file.content },
            type: file.type || 'application/octet-stream',
          }
        : { problem: { path: 'body', message: 'Choose a file.' } };
  }
}
