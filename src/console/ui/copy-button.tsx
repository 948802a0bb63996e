import { errorMessage } from '../../base/text/error-message.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.js';
import { showToast } from './toasts.js';

/** Copies text. Resolves to false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    showToast('Copied to the clipboard');
    return true;
  } catch {
    showToast('The browser blocked copying. Select the text and copy it manually.', 'bad');
    return false;
  }
}

interface CopyButtonProps {
  /** A function is called on each click. */
  text: string | (() => string | Promise<string>);
  label: string;
  showLabel?: boolean;
  size?: 'small' | 'medium';
}

export function CopyButton({ text, label, showLabel, size = 'small' }: CopyButtonProps): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    let wanted: string;
    try {
      wanted = typeof text === 'string' ? text : await text();
    } catch (error) {
      return showToast(errorMessage(error), 'bad');
    }
    if (!(await copyText(wanted))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  return (
    <Button
      kind={showLabel ? 'secondary' : 'quiet'}
      size={size}
      icon={copied ? 'check' : 'copy'}
      label={label}
      onPress={() => void copy()}
    >
      {showLabel && label}
    </Button>
  );
}
