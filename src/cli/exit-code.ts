import type { Outcome } from './context/command.js';
import { interruptionCode } from './context/interruption.js';
import type { Failure } from './classify-failure.js';

export function exitCode(end: Outcome | Failure): number {
  switch (end.kind) {
    case 'fine':
      return 0;
    case 'findings':
      return 1;
    case 'usage':
      return 2;
    case 'bug':
      return 3;
    case 'child':
      return end.code;
    case 'interrupted':
      return interruptionCode(end.by);
  }
}
