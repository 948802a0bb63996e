import type { JSX } from 'preact';
import type { Headers } from '../../../contract/basics/resources.js';
import { CopyButton } from '../../ui/copy-button.js';
import { showControls } from '../../text/show-controls.js';

export function HeadersTable({ headers, label }: { headers: Headers; label: string }): JSX.Element {
  if (headers.length === 0) return <p class="quiet">No headers.</p>;
  const longest = Math.max(...headers.map(([name]) => name.length));
  return (
    <div class="bar align-start headers">
      <table class="grow" aria-label={label} style={{ '--name-width': `${longest}ch` }}>
        <tbody>
          {headers.map(([name, value], index) => (
            <tr key={index}>
              <th scope="row">{showControls(name)}</th>
              <td>{showControls(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <CopyButton
        text={() => headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        label={`Copy ${label.toLowerCase()}`}
      />
    </div>
  );
}
