import type { UIAction } from '../../../protocol/events.js';
import { isRecord, readAction, readNumber, type Values } from './read-markup.js';

export interface FrameSize {
  aspectRatio?: number;
  maxHeight?: number;
  maxWidth?: number;
}

export type FrameMessage =
  | { kind: 'ready' }
  | { kind: 'resize'; size: FrameSize }
  | { kind: 'action'; action: UIAction };

/**
 * Reads an action posted by a frame, either directly or wrapped as `{ action: { action, … } }`. The dimensions of a resize
 * can also be in `size`.
 */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  if (!isRecord(data)) return undefined;
  const action = readAction(data.action) ?? readAction(data);
  if (!action) return undefined;
  if (action.action === '@webframe.ready') return { kind: 'ready' };
  if (action.action === '@webframe.resize')
    return { kind: 'resize', size: readSize({ ...action, ...read(action.size) }) };
  return { kind: 'action', action };
}

const read = (value: unknown): Values => (isRecord(value) ? value : {});

function readSize(values: Values): FrameSize {
  const size: FrameSize = {};
  for (const key of ['aspectRatio', 'maxHeight', 'maxWidth'] as const) {
    const value = readNumber(values[key]);
    if (value !== undefined && value > 0) size[key] = value;
  }
  return size;
}
