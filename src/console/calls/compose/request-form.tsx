import type { JSX } from 'preact';
import { addressOf, setAddress } from '../../../protocol/compose/call-draft.js';
import type { FieldProblem } from '../../../protocol/compose/request-problems.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import { installedIn, targetKey } from '../../live/where-installed.js';
import { Breakable } from '../../text/breakable.js';
import { Field } from '../../ui/form/field.js';
import { TargetSelect } from '../../live/target-select.js';
import { BodyEditor } from './body-editor.js';
import type { ComposedRequest } from './composed-call.js';
import { problemAt } from './field-problems.js';
import { PairsEditor } from './pairs-editor.js';

interface RequestFormProps {
  platform: PlatformResource;
  request: ComposedRequest;
  problems: readonly FieldProblem[];
  onChange: (request: ComposedRequest) => void;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function RequestForm({ platform, request, problems, onChange }: RequestFormProps): JSX.Element {
  const targets = installedIn(platform);
  const { target = targets[0]?.target, method, path, query, headers, body } = request;
  const set = (change: Partial<ComposedRequest>): void => onChange({ ...request, ...change });
  const endpoint = targets.find((one) => target && targetKey(one.target) === targetKey(target))?.endpoint;
  return (
    <div class="stack">
      <TargetSelect
        targets={targets}
        value={target}
        onChange={(next) => set({ target: next })}
        label="Target"
      />
      <div class="request-line">
        <Field label="Method" error={problemAt(problems, 'method')}>
          {(ids) => (
            <select
              {...ids}
              class="control"
              value={method}
              onChange={(event) => set({ method: event.currentTarget.value })}
            >
              {[...new Set([...methods, method])].map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Path after the endpoint URL" error={problemAt(problems, 'path')}>
          {(ids) => (
            <input
              {...ids}
              type="text"
              class="control mono"
              spellcheck={false}
              value={path}
              onInput={(event) => {
                const next = { path, query };
                setAddress(next, event.currentTarget.value);
                set(next);
              }}
            />
          )}
        </Field>
      </div>
      {endpoint !== undefined && (
        <p class="quiet small mono wrap-anywhere">
          <Breakable text={endpoint + addressOf({ path, query: query.filter(([name]) => name) })} />
        </p>
      )}
      <BodyEditor body={body} error={problemAt(problems, 'body')} onChange={(next) => set({ body: next })} />
      <PairsEditor
        label="Query"
        what="parameter"
        field="query"
        pairs={query}
        onChange={(pairs) => set({ query: pairs })}
      />
      <PairsEditor
        label="Headers"
        what="header"
        field="headers"
        pairs={headers}
        problems={problems}
        onChange={(pairs) => set({ headers: pairs })}
      />
    </div>
  );
}
