import type { PreparedAnswer, Workspace } from '../../../protocol/workspace.js';

export interface AnswerSource {
  type: 'page';
  space: string;
  revision: string;
  page: string;
}

/** The reply of the platform's AI: a prepared one from `platform.dev.yaml`, or else a sample. */
export function answerQuestion({ answers = [] }: Workspace, question: string): PreparedAnswer {
  const same = (text: string | undefined): boolean =>
    text?.trim().toLowerCase() === question.trim().toLowerCase();
  return (
    answers.find((answer) => same(answer.question)) ??
    answers.find((answer) => answer.question === undefined) ?? {
      markdown: `This is a sample reply to "${question}". You can prepare replies in platform.dev.yaml.`,
      followupQuestions: ['Where do I start?', 'What else is there?'],
    }
  );
}

export const answerResource = (
  { markdown, followupQuestions }: PreparedAnswer,
  format: string | undefined,
  sources: AnswerSource[],
) => ({
  answer: format === 'document' ? { document: documentOf(markdown) } : { markdown },
  followupQuestions,
  sources,
});

const documentOf = (text: string) => ({
  object: 'document',
  data: {},
  nodes: text.split(/\n{2,}/).map((paragraph) => ({
    object: 'block',
    type: 'paragraph',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: paragraph, marks: [] }] }],
  })),
});

/** The reply in three steps, as it is streamed: a third of its words, two thirds, then everything. */
export function piecesOf(answer: PreparedAnswer): PreparedAnswer[] {
  const words = answer.markdown.split(/(?<=\s)/);
  const upTo = (share: number): PreparedAnswer => ({
    markdown: words.slice(0, Math.ceil(words.length * share)).join(''),
    followupQuestions: [],
  });
  return [upTo(1 / 3), upTo(2 / 3), answer];
}
