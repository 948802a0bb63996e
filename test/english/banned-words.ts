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
      // The key "answers" of platform.dev.yaml.
      'schemas/platform-dev.schema.json',
      'src/scaffold',
      'src/cli/context/io.ts',
      'src/testing/cli-io.ts',
      // The event "answer" of the AI stream.
      'src/emulator/api/management/management-organizations.ts',
      // A comment of a visitor.
      'src/protocol/sample-events.ts',
      // The column "answer".
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
  'docs/manifest',
];
