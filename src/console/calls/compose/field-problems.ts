import type { FieldProblem } from '../../../protocol/compose/request-problems.js';

export const problemAt = (problems: readonly FieldProblem[], path: string): string | undefined =>
  problems.find((one) => one.path === path)?.message;
