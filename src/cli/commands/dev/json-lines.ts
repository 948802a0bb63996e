import type { SessionEvent } from '../../../dev/index.js';
import type { CommandContext } from '../../command.js';
import { eventToJson } from './event-json.js';

/** What a session tells as NDJSON: `ready` begins it, and what happened before stands right behind. */
export interface SessionLines {
  ready(line: object): void;
  tell(event: SessionEvent): void;
}

/** `waits`: what is broken may still be mended. */
export function createSessionLines(
  { emit, cwd }: Pick<CommandContext, 'emit' | 'cwd'>,
  waits: boolean,
): SessionLines {
  let held: object[] | undefined = [];
  const release = (): void => {
    const lines = held ?? [];
    held = undefined;
    lines.forEach(emit);
  };
  /** There may never be a `ready`, and somebody has to be told why. */
  const holdsUp = (event: SessionEvent): boolean =>
    event.type === 'broken' && (event.what === 'manifest' || !waits);

  return {
    ready(line) {
      emit(line);
      release();
    },
    tell(event) {
      if (holdsUp(event)) release();
      const line = eventToJson(event, cwd);
      if (held) held.push(line);
      else emit(line);
    },
  };
}
