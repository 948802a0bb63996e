import ts from 'typescript';
import { blocks, code, fence, table } from './markdown.js';
import { commentOf, openProgram, propertiesOf, typeText } from './typescript-docs.js';

const modules: readonly [name: string, file: string, summary: string][] = [
  ['integration-platform', 'runtime/index.ts', "For an integration's script."],
  ['integration-platform/webhooks', 'webhooks/node/index.ts', 'For programs that send or receive webhooks.'],
  ['integration-platform/webhooks/postgres', 'store/postgres/index.ts', 'Webhook deliveries in Postgres.'],
  ['integration-platform/testing', 'testing/index.ts', "For an integration's tests."],
];

/** The types whose members authors call. Their members are listed, in addition to the meaning of the type. */
const detailed = [
  'RuntimeContext',
  'PlatformApi',
  'ComponentInstance',
  'WebhookReceiver',
  'WebhookDispatcher',
  'WebhookDispatcherOptions',
  'TestPlatform',
  'RenderedComponent',
  'TestPage',
];

export function sdkPage(): string {
  const { checker, exportsOf } = openProgram(modules.map(([, file]) => file));
  const sections = modules.map(([name, file, summary]) => {
    const all = exportsOf(file);
    const values = all.filter(({ flags }) => flags & (ts.SymbolFlags.Value & ~ts.SymbolFlags.TypeLiteral));
    const types = all.filter((one) => !values.includes(one));
    return blocks(
      `## ${name}`,
      summary,
      ...values.map((one) => valueSection(one, checker)),
      '### Types',
      table(
        ['type', 'meaning'],
        types.map((one) => [code(one.name), commentOf(one, checker)]),
      ),
      ...all.filter((one) => detailed.includes(one.name)).map((one) => memberSection(one, checker)),
    );
  });
  return blocks(
    '# Exports',
    'This page lists what the package exports. Editors show the same descriptions.',
    ...sections,
  );
}

function valueSection(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const type = checker.getTypeOfSymbol(symbol);
  const signatures = type.getCallSignatures();
  const shown = [
    ...signatures.map((one) => `function ${symbol.name}${signatureText(one, checker)}`),
    ...type
      .getConstructSignatures()
      .map((one) => signatureText(one, checker).replace(/: [^:]*$/, ''))
      .map((parameters) => `class ${symbol.name} {\n  constructor${parameters};\n}`),
  ];
  return blocks(
    `### ${symbol.name}`,
    commentOf(symbol, checker),
    shown.length > 0 ? fence('ts', shown.join('\n')) : '',
    ...signatures.flatMap((one) => one.getParameters()).map((one) => optionTable(one, checker)),
  );
}

/** The members of a type. */
const memberSection = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  blocks(
    `### Members of ${symbol.name}`,
    table(
      ['member', 'type', 'meaning'],
      membersOf(checker.getDeclaredTypeOfSymbol(symbol), checker).map(([name, member]) => [
        code(name),
        code(typeText(checker.getTypeOfSymbol(member), checker)),
        commentOf(member, checker),
      ]),
    ),
  );

/** Returns the members of a type. If a member only groups methods, as in `spaces.getSpaceById`, returns the methods. */
function membersOf(type: ts.Type, checker: ts.TypeChecker): [name: string, member: ts.Symbol][] {
  return propertiesOf(type, checker).flatMap((member): [string, ts.Symbol][] => {
    const inner = propertiesOf(checker.getTypeOfSymbol(member), checker);
    const isGroup =
      inner.length > 0 && inner.every((one) => checker.getTypeOfSymbol(one).getCallSignatures().length > 0);
    const isLiteral = checker.getTypeOfSymbol(member).symbol?.name === '__type';
    return isGroup && isLiteral
      ? inner.map((one) => [`${member.name}.${one.name}`, one])
      : [[member.name, member]];
  });
}

/** A destructured parameter has no name, so it is called `options`, and the names inside it are left out. */
const signatureText = (signature: ts.Signature, checker: ts.TypeChecker): string =>
  checker
    .signatureToString(signature, undefined, ts.TypeFormatFlags.NoTruncation)
    .replaceAll(/([(,] ?)\{ [\w:, ]+ \}(\??: )/g, '$1options$2');

const parameterName = ({ name }: ts.Symbol): string => (name.startsWith('__') ? 'options' : name);

/** The fields of a parameter that is an object of this package. */
function optionTable(parameter: ts.Symbol, checker: ts.TypeChecker): string {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
  const own = type.symbol?.declarations?.some(({ parent }) =>
    /[/]src[/]/.test(parent.getSourceFile().fileName),
  );
  if (!own) return '';
  const fields = propertiesOf(type, checker);
  if (fields.length === 0) return '';
  return table(
    [parameterName(parameter), 'type', 'required', 'meaning'],
    fields.map((field) => [
      code(field.name),
      code(typeText(checker.getTypeOfSymbol(field), checker)),
      field.flags & ts.SymbolFlags.Optional ? '' : 'yes',
      commentOf(field, checker),
    ]),
  );
}
