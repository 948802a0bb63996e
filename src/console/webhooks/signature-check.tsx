import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { signatureHeader } from '../../protocol/signature.js';
import type { AttemptResource } from '../../contract/routes/webhooks.js';
import { formatWait } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { Field } from '../ui/form/field.js';
import { useNow } from '../ui/state/use-now.js';

interface SignatureCheckProps {
  attempt: AttemptResource;
  /** The payload, if it is text. */
  body: string;
}

/**
 * Shown after a response with status 401 or 403. Shows what was signed, how old the signature is, and whether another
 * signature matches.
 */
export function SignatureCheck({ attempt, body }: SignatureCheckProps): JSX.Element | null {
  const { result, request } = attempt;
  const [typed, setTyped] = useState('');
  const rejected = result.kind === 'answer' && (result.status === 401 || result.status === 403);
  const now = useNow(rejected ? 1000 : undefined);
  const header = request?.headers.find(([name]) => name.toLowerCase() === signatureHeader.toLowerCase())?.[1];
  const time = /(?:^|,)t=(\d+)/.exec(header ?? '')?.[1];
  if (!rejected || header === undefined || time === undefined) return null;
  const age = Math.max(0, now - Number(time) * 1000);
  const signed = `${time}.${body}`;
  return (
    <section class="stack tight signature-check">
      <h3 class="bar section-title">Check the signature</h3>
      <p>
        The receiver responded with {result.status}, so it probably rejected the signature. Receivers accept a
        signature for five minutes. This one is <span class="number">{formatWait(age)}</span> old.
      </p>
      <div>
        <p class="row small">
          <span class="grow">The signed bytes are the timestamp, a dot and the unchanged body.</span>
          <CopyButton text={signed} label="Copy the signed bytes" />
        </p>
        <pre class="well code signed-bytes" dir="ltr" tabIndex={0} role="region" aria-label="Signed bytes">
          {showControls(signed)}
        </pre>
      </div>
      <p class="small wrap-anywhere">
        {signatureHeader}: <span class="mono">{header}</span>
      </p>
      <Field
        label="Signature that your receiver computed"
        hint={typed.trim() !== '' && verdict(typed, header)}
      >
        {(ids) => (
          <input
            {...ids}
            class="control mono"
            autocomplete="off"
            spellcheck={false}
            placeholder="v1=…, or only its hexadecimal digits"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
    </section>
  );
}

const signaturesIn = (text: string): string[] => text.toLowerCase().match(/\b[\da-f]{64}\b/g) ?? [];

function verdict(typed: string, header: string): JSX.Element {
  const [found] = signaturesIn(typed);
  if (found === undefined) return <span>Enter a signature of 64 hexadecimal digits.</span>;
  return signaturesIn(header).includes(found) ? (
    <span>Correct. Compare it with the v1 value in the header, not with the whole header.</span>
  ) : (
    <span>
      This signature doesn't match the one in the header. Compute the HMAC-SHA256 of the bytes above with the
      secret of this endpoint, before the body is parsed.
    </span>
  );
}
