import type { JSX } from 'preact';
import { resolveState } from '../../../protocol/markup/resolve-state.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Code } from '../../text/code/code.js';
import { useBound, useLabel, useMarkup } from '../basics/markup-context.js';
import { readAction, readList, readNumber, readText } from '../basics/read-markup.js';
import type { ElementProps } from './layout.js';

export function CodeblockElement({ element }: ElementProps): JSX.Element {
  const { draw, send, state } = useMarkup();
  const syntax = readText(element.syntax);
  const editable = readText(element.state) !== undefined;
  const [value, set] = useBound({ ...element, initialValue: element.content });
  const ids = useLabel(syntax, 'Code');
  const text = readText(editable ? value : resolveState(element.content, state)) ?? '';
  const firstLine = element.lineNumbers === true ? 1 : readNumber(element.lineNumbers);
  const lines = Math.max(3, text.split('\n').length);
  const action = readAction(element.onContentChange);
  const buttons = readList(element.buttons);
  return (
    <div class="well m-code">
      <div class="bar m-code-head">
        <span class="quiet">{syntax}</span>
        <span class="bar">
          {draw(buttons)}
          <CopyButton text={text} label="Copy code" />
        </span>
      </div>
      {element.header !== undefined && <div class="m-code-top">{draw(element.header)}</div>}
      {editable ? (
        <div class="m-code-editor" dir="ltr">
          {firstLine !== undefined && (
            <pre class="m-code-gutter" aria-hidden="true">
              {Array.from({ length: lines }, (_, index) => firstLine + index).join('\n')}
            </pre>
          )}
          <textarea
            {...ids}
            class="m-code-edit"
            spellcheck={false}
            rows={firstLine === undefined ? Math.min(24, lines) : lines}
            wrap={firstLine === undefined ? 'soft' : 'off'}
            value={text}
            onInput={(event) => set(event.currentTarget.value)}
            onChange={() => action && void send(action)}
          />
        </div>
      ) : (
        <Code text={text} label={syntax ?? 'Code'} {...(firstLine !== undefined && { firstLine })} />
      )}
      {element.footer !== undefined && <div class="m-code-foot">{draw(element.footer)}</div>}
    </div>
  );
}
