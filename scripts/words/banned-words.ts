export interface BannedWord {
  word: RegExp;
  better: string;
  /** Paths that use the word in another sense. */
  except?: readonly string[];
}

/** Words that made texts hard to read, with what to write instead. docs/glossary.md has the terms. */
export const bannedWords: readonly BannedWord[] = [
  { word: /(?<![-\w])(?!auto )([a-z]+) \1(?![-\w])/, better: 'the word once' },
  { word: /\bmend(s|ed|ing)?\b/i, better: 'fix' },
  { word: /\bwho(m|ever|mever)\b/i, better: 'name the person or program: the user, the caller' },
  { word: /\bnobody\b/i, better: 'no one, or name who does not' },
  { word: /\bstands?\b(?! alone)/i, better: 'is, appears, contains, means' },
  { word: /\btells?\b|\btold\b/i, better: 'show, report, print' },
  {
    word: /\banswer(s|ed|ing)?\b/i,
    better: 'respond, response, return',
    except: [
      // A key of platform.dev.yaml.
      'schemas/platform-dev.schema.json',
      'src/scaffold',
      'src/cli/context/io.ts',
      'src/testing/cli-io.ts',
      // An event of the AI stream.
      'src/emulator/api/management/management-organizations.ts',
      // A key of recorded requests.
      'schemas/recording.schema.json',
      'src/sandbox/replay',
      'src/cli/commands/replay/replay.ts',
      // A comment of a visitor.
      'src/protocol/sample-events.ts',
      // A column.
      'src/store/deliveries',
      'src/store/sqlite/upgrade-database.ts',
    ],
  },
  { word: /\bpictures?\b/i, better: 'image', except: ['scripts/pictures'] },
  { word: /\bmistakes?\b/i, better: 'problem, error' },
  { word: /\b(is|are|there is|so that) none\b/i, better: 'there is no …, it is not set' },
  { word: /(?<!there )\bis no (?!longer|more|such|need|way|room|other|limit)/i, better: 'is not a' },
  { word: /\bformer\b/i, better: 'previous, earlier' },
  { word: /\bpresent (code|version|one)\b/i, better: 'current' },
  { word: /\bin words\b/i, better: 'as text' },
  {
    word: /\b(draw|draws|drawn|drew)\b/i,
    better: 'render',
    except: ['src/console', 'src/runtime/jsx', 'src/terminal'],
  },
  { word: /\b(go|goes|went|going) on\b/i, better: 'continue' },
  { word: /\balone\b/i, better: 'only' },
  { word: /\bat once\b/i, better: 'immediately, at the same time' },
  { word: /\banew\b/i, better: 'again, new' },
  { word: /\bcom(e|es|ing|ce) to nothing\b|\bcame to\b/i, better: 'failed, the result was' },
  { word: /\bso (many|often|long)\b(?! as)/i, better: 'name the number or the time' },
  { word: /(^|[.;:] )One (that|of|which|without|with)\b/, better: 'name the subject' },
  { word: /\bof (ours|yours|theirs|mine)\b/i, better: 'our, your, their' },
  { word: /\b(give|gives|given|giving) back\b/i, better: 'return' },
  { word: /\bbears?\b/i, better: 'has, contains' },
  { word: /\botherwise than\b|\bother than the ones\b/i, better: 'different from' },
  { word: /\b(lest|thereof|wherein|whence|hitherto)\b/i, better: 'plain words' },
  { word: /\bto be had\b/i, better: 'available' },
  { word: /\b(resident|succession|restless|inlet|surroundings)s?\b/i, better: 'the technical name' },
  { word: /\b(trouble|complain)(s|ed)?\b/i, better: 'problem, report' },
  { word: /\b(takes?|taken|took) (\w+ )?for (a|an|granted)\b/i, better: 'treat as' },
  { word: /\bwhere (there|nothing|none|no one) (is|are|was)\b/i, better: 'if' },
  { word: /\bbeside\b/i, better: 'next to' },
  { word: /\b(somebody|whoever)\b/i, better: 'someone, or name the person' },
  { word: /\bcan't\b|\bcan not\b/i, better: 'cannot' },
  { word: /\blacks?\b|\blacked\b/i, better: 'is missing, does not have' },
  { word: /\bany number of\b/i, better: 'any, several' },
  { word: /\bsays? so\b|\bsaid so\b/i, better: 'report, explain, print' },
  {
    word: /\bThere is no (file|folder|such|event|rule|template)\b/,
    better: 'File not found: …, Unknown event: …',
  },
];

/** What tests do has more exact words. */
export const testNameHabits: readonly BannedWord[] = [
  { word: /\bsa(y|ys|id) (that|why|what|how)\b/i, better: 'report, explain, print' },
];

/** Habits of prose and test names. In comments of the code they are often the shortest right words. */
export const proseHabits: readonly BannedWord[] = [
  { word: /\brefus(e|es|ed|ing)\b(?! connection)/i, better: 'reject, block, not allow, fail' },
  { word: /\b(has|have|had) to\b/i, better: 'must, need to' },
  { word: /\b(a text|texts)\b/i, better: 'message, string, label' },
  { word: /\bgets (a|an|the|its|no)\b/i, better: 'receives, is passed, has' },
  { word: /\b(name|names) (a|an|its|it|another|one)\b/i, better: 'pass, specify, set, show' },
];

/** Rooms, pages and files whose texts hold to the list. */
export const cleanPaths: readonly string[] = [
  'deploy',
  'schemas',
  'scripts',
  'src/base',
  'src/bundle',
  'src/cli',
  'src/console',
  'src/dev',
  'src/contract',
  'src/emulator',
  'src/protocol',
  'src/diagnostics',
  'src/manifest',
  'src/publish',
  'src/runtime',
  'src/sandbox',
  'src/scaffold',
  'src/store',
  'src/terminal',
  'src/testing',
  'src/webhooks',
  'templates',
  'docs/problems',
];
