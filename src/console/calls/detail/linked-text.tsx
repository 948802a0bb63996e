import type { ComponentChildren, JSX } from 'preact';
import { Fragment } from 'preact';
import { showControls } from '../../text/show-controls.js';
import { SourceLink } from '../../text/source-link.js';
import { Command } from '../../ui/command.js';
import { CallLink } from './call-link.js';

/**
 * Matches a position in the project, a call id, a file that the author should change, or a command at the end of the message.
 */
const links =
  /(?<place>(?<![\w@.-]\/?)(?:[\w@.-]+\/)*[\w@.-]+\.[cm]?[jt]sx?:\d+:\d+)|(?<call>\bcall_[0-9a-z]+\b)|(?<file>\bplatform-manifest\.yaml\b|(?<=in )\.env\b)|(?<=: )(?<command>platform \S.*)$/g;

interface LinkedTextProps {
  text: string;
  /** Whether a command at the end of the message can be copied. Only the platform's own messages may suggest commands. */
  hasCommand?: boolean;
}

/** A message with links from positions and files to the editor, and from call ids to the calls. */
export const LinkedText = ({ text, hasCommand = false }: LinkedTextProps): JSX.Element => (
  <>{withLinks(showControls(text), hasCommand)}</>
);

function withLinks(text: string, hasCommand: boolean): ComponentChildren[] {
  const shown: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(links)) {
    const { place, call, file, command } = match.groups ?? {};
    if (command !== undefined && !hasCommand) continue;
    shown.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const key = match.index;
    if (place !== undefined) shown.push(<PlaceLink key={key} place={place} />);
    else if (call !== undefined) shown.push(<CallLink key={key} call={call} />);
    else if (file !== undefined) shown.push(<SourceLink key={key} file={file} />);
    else if (command !== undefined) shown.push(<Command key={key} text={command} />);
  }
  return [...shown, <Fragment key="rest">{text.slice(end)}</Fragment>];
}

function PlaceLink({ place }: { place: string }): JSX.Element {
  const [file = '', line, column] = place.split(':');
  return <SourceLink file={file} line={Number(line)} column={Number(column)} />;
}
