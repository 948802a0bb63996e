import ts from 'typescript';
import { blocks, code, entries, fence } from './markdown.js';
import { commentOf, openProgram, propertiesOf, typeText } from './typescript-docs.js';

const modules: readonly [name: string, file: string, summary: string][] = [
  ['integration-platform', 'runtime/index.ts', "For an integration's script."],
  ['integration-platform/webhooks', 'webhooks/node/index.ts', 'For programs that send or receive webhooks.'],
  ['integration-platform/webhooks/postgres', 'deliveries/index.ts', 'Webhook deliveries in Postgres.'],
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

/** Types that another page describes, by the file that declares them. */
const elsewhere: readonly [file: RegExp, where: string][] = [
  [/\/protocol\/events?(?:-\w+)*\.ts$/, 'For the fields of these types, see [Events](events.md)'],
  [
    /\/runtime\/jsx\/(?:elements|\w+-props)\.ts$/,
    'For the fields of these types, see [Elements](elements.md)',
  ],
];

/** A short comment adds little to the name of its type. */
function typeLists(types: readonly ts.Symbol[], checker: ts.TypeChecker): string[] {
  const described = types.filter((one) => commentOf(one, checker).split(' ').length > 12);
  const others = types.filter((one) => !described.includes(one)).map(({ name }) => code(name));
  return [
    entries(described.map((one) => [one.name, [], commentOf(one, checker)])),
    others.length > 0 ? `More types, which editors describe: ${others.join(', ')}.` : '',
  ];
}

const isFrom = ({ declarations = [] }: ts.Symbol, file: RegExp): boolean =>
  declarations.some((one) => file.test(one.getSourceFile().fileName));

export function sdkPage(): string {
  const { checker, exportsOf } = openProgram(modules.map(([, file]) => file));
  const listed = new Map<ts.Symbol, string>();
  const sections = modules.map(([name, file, summary]) => {
    const all = exportsOf(file);
    const values = all.filter(({ flags }) => flags & (ts.SymbolFlags.Value & ~ts.SymbolFlags.TypeLiteral));
    const types = all.filter((one) => !values.includes(one));
    return blocks(
      `## ${name}`,
      summary,
      ...values.map((one) => valueSection(one, checker, listed)),
      '### Types',
      ...elsewhere.map(([file, where]) => {
        const there = types.filter((one) => isFrom(one, file));
        return there.length === 0 ? '' : `${where}: ${there.map(({ name }) => code(name)).join(', ')}.`;
      }),
      ...typeLists(
        types.filter((one) => !elsewhere.some(([file]) => isFrom(one, file))),
        checker,
      ),
      ...all.filter((one) => detailed.includes(one.name)).map((one) => memberSection(one, checker)),
    );
  });
  return blocks(
    '# Exports',
    'This page lists what the package exports. Editors show the same descriptions. The platform specifies `createIntegration`, `createComponent`, `createOAuthHandler` and the environment. The behavior of the other exports of `integration-platform` is [assumed](../fidelity.md). The other three modules belong to this package.',
    ...sections,
  );
}

function valueSection(symbol: ts.Symbol, checker: ts.TypeChecker, listed: Map<ts.Symbol, string>): string {
  const type = checker.getTypeOfSymbol(symbol);
  const signatures = type.getCallSignatures();
  const shown = [
    ...signatures.map((one) => `function ${symbol.name}${shortSignature(one, checker)}`),
    ...type
      .getConstructSignatures()
      .map((one) => signatureText(one, checker).replace(/: [^:]*$/, ''))
      .map((parameters) => `class ${symbol.name} {\n  constructor${parameters};\n}`),
  ];
  return blocks(
    `### ${symbol.name}`,
    commentOf(symbol, checker),
    shown.length > 0 ? fence('ts', shown.join('\n')) : '',
    ...signatures
      .flatMap((one) => one.getParameters())
      .map((one) => optionList(one, checker, listed, symbol.name)),
  );
}

/** The members of a type. */
const memberSection = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  blocks(
    `### Members of ${symbol.name}`,
    entries(
      membersOf(checker.getDeclaredTypeOfSymbol(symbol), checker).map(([name, member]) => [
        declared(name, member, checker),
        [],
        commentOf(member, checker),
      ]),
    ),
  );

/** `close(): Promise<void>` or `state: string`, as in a type. */
function declared(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const type = checker.getTypeOfSymbol(symbol);
  const [signature, ...others] = checker.getNonNullableType(type).getCallSignatures();
  const mark = symbol.flags & ts.SymbolFlags.Optional ? '?' : '';
  const called = signature && others.length === 0 ? signatureText(signature, checker) : '';
  // The parameters of `RuntimeCallback` have no names.
  if (called !== '' && !called.includes('args_0')) return `${name}${mark}${called}`;
  return `${name}${mark}: ${withoutUndefined(typeText(type, checker))}`;
}

/** An optional parameter or property may be undefined anyway. */
const withoutUndefined = (text: string): string => text.replaceAll(/(\?: [^,;()]*) \| undefined/g, '$1');

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
  withoutUndefined(
    checker
      .signatureToString(signature, undefined, ts.TypeFormatFlags.NoTruncation)
      .replaceAll(/([(,] ?)\{ [\w:, ]+ \}(\??: )/g, '$1options$2'),
  );

/** The signature of an exported function. Leaves out what a list below it describes, and the bounds of type parameters. */
function shortSignature(signature: ts.Signature, checker: ts.TypeChecker): string {
  const names = signature.getTypeParameters()?.map(({ symbol }) => symbol.name) ?? [];
  const parameters = signature.getParameters().map((parameter) => {
    const { valueDeclaration: declaration } = parameter;
    const isRest = declaration && ts.isParameter(declaration) && declaration.dotDotDotToken !== undefined;
    const isOptional = declaration && ts.isParameter(declaration) && checker.isOptionalParameter(declaration);
    const type = checker.getTypeOfSymbol(parameter);
    const isListed = type.symbol?.name === '__type' && optionList(parameter, checker, new Map(), '') !== '';
    const text = isListed ? '{ … }' : typeText(type, checker);
    return `${isRest ? '...' : ''}${parameterName(parameter)}${isOptional ? '?' : ''}: ${text}`;
  });
  const returned = checker.typeToString(
    signature.getReturnType(),
    undefined,
    ts.TypeFormatFlags.NoTruncation,
  );
  const typeParameters = names.length > 0 ? `<${names.join(', ')}>` : '';
  return withoutUndefined(`${typeParameters}(${parameters.join(', ')}): ${returned}`);
}

const parameterName = ({ name }: ts.Symbol): string => (name.startsWith('__') ? 'options' : name);

/** The fields of a parameter that is an object of this package. Each type is listed once, by its first function. */
function optionList(
  parameter: ts.Symbol,
  checker: ts.TypeChecker,
  listed: Map<ts.Symbol, string>,
  owner: string,
): string {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
  const own = type.symbol?.declarations?.some(({ parent }) =>
    /[/]src[/]/.test(parent.getSourceFile().fileName),
  );
  const fields = own ? propertiesOf(type, checker) : [];
  if (fields.every((field) => commentOf(field, checker) === '')) return '';
  const name = code(parameterName(parameter));
  if (detailed.includes(type.symbol.name))
    return `For ${name}, see [Members of ${type.symbol.name}](#members-of-${type.symbol.name.toLowerCase()}).`;
  const before = listed.get(type.symbol);
  if (before !== undefined) return `For ${name}, see [${before}](#${before.toLowerCase()}).`;
  listed.set(type.symbol, owner);
  return blocks(
    `Fields of ${name}:`,
    entries(fields.map((field) => [declared(field.name, field, checker), [], commentOf(field, checker)])),
  );
}
