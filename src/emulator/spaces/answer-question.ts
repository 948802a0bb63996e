import type { PreparedAnswer } from '../../protocol/workspace.js';
import type { Registry } from '../state/registry.js';
import type { Spaces } from './spaces.js';
import type { FoundPassage } from './space-content.js';

export interface Answer extends PreparedAnswer {
  sources: { type: 'page'; space: string; revision: string; page: string }[];
}

/** Replies in place of the product's AI. */
export type AnswerQuestion = (organization: string, question: string) => Promise<Answer>;

/**
 * Returns the reply from `platform.dev.yaml`. If no reply matches, returns passages that contain the words in the question. If
 * no passage matches either, returns a sample.
 */
export const createAnswers =
  ({ registry, spaces }: { registry: Registry; spaces: Spaces }): AnswerQuestion =>
  async (organization, question) => {
    const own = registry.workspace.spaces.filter((space) => space.organization === organization);
    const sourceIn = (space: string, page: string | undefined): Answer['sources'] =>
      page === undefined
        ? []
        : [{ type: 'page', space, revision: spaces.content(space).revision().id, page }];
    const prepared = preparedAnswer(registry.workspace.answers ?? [], question);
    const [first] = own;
    const firstPage = first ? sourceIn(first.id, spaces.content(first.id).firstPage()) : [];
    if (prepared) return { ...prepared, sources: firstPage };

    const found: { space: string; passage: FoundPassage }[] = [];
    let hasFolder = false;
    for (const { id: space } of own) {
      const passages = await spaces.content(space).passages(question);
      hasFolder ||= passages !== undefined;
      for (const passage of passages ?? []) found.push({ space, passage });
    }
    if (found.length === 0) return { ...sample(question), sources: hasFolder ? [] : firstPage };
    return {
      markdown: found.map(({ passage }) => quote(passage)).join('\n\n'),
      followupQuestions: [],
      sources: found.flatMap(({ space, passage }) => sourceIn(space, passage.page.id)),
    };
  };

function preparedAnswer(answers: readonly PreparedAnswer[], question: string): PreparedAnswer | undefined {
  const same = (text: string | undefined): boolean =>
    text?.trim().toLowerCase() === question.trim().toLowerCase();
  return (
    answers.find((answer) => same(answer.question)) ?? answers.find((answer) => answer.question === undefined)
  );
}

const sample = (question: string): PreparedAnswer => ({
  markdown: `This is a sample reply to "${question}". You can define your own replies in platform.dev.yaml.`,
  followupQuestions: ['Where do I start?', 'What else can I ask?'],
});

const quote = ({ page, text, url }: FoundPassage): string =>
  [`From [${page.title.replaceAll(/[[\]\\]/g, '\\$&')}](${url}):`, text.replaceAll(/^/gm, '> ')].join('\n\n');
