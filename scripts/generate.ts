import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import ts from 'typescript';
import { agentTools, type AgentTool } from '../src/contract/agent-tools.js';
import { docsFolder } from '../src/base/package-files.js';
import { consoleApi } from '../src/contract/console-api.js';
import { describeApi } from '../src/contract/openapi.js';
import { fieldsOf, type Route } from '../src/contract/basics/route.js';
import { listCodes } from '../src/diagnostics/index.js';
import { scopes } from '../src/protocol/scopes.js';
import { fillIn } from '../src/scaffold/files/fill-template.js';
import { templates } from '../src/scaffold/model/template-list.js';
import { eventSchema, webhookPayloadSchema } from './event-schemas.js';
import { listMarkupElements } from './list-markup-elements.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** For editors: the published schema is derived from it. */
const manifestSource = 'schemas/editor/platform-manifest.schema.json';

/**
 * Schemas that are compiled to plain functions, so that no command has to compile a schema when it starts.
 */
const compiled: Compiled[] = [
  { schema: manifestSource, output: 'src/manifest/generated/validate-manifest' },
  { schema: 'schemas/platform-dev.schema.json', output: 'src/manifest/generated/validate-dev-settings' },
  { schema: 'schemas/events.schema.json', output: 'src/protocol/generated/validate-event' },
  {
    schema: 'schemas/webhook-payloads.schema.json',
    output: 'src/protocol/generated/validate-webhook-payload',
  },
  // Recordings come from strangers and can be large, so the check ends at the first error.
  {
    schema: 'schemas/recording.schema.json',
    output: 'src/recordings/generated/validate-recording',
    options: { allErrors: false, strictRequired: false, strictTypes: false },
  },
];

/** Keywords for editors. No validator knows them, so they are only in the editors' schema. */
const forEditors = new Set(['markdownDescription', 'enumDescriptions', 'defaultSnippets']);

const readSchema = (file: string, change: (schema: object) => object): object =>
  JSON.parse(readFileSync(join(root, file), 'utf8'), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? change(Object.fromEntries(Object.entries(value).filter(([key]) => !forEditors.has(key))))
      : value,
  ) as object;

/**
 * Strict validators allow one type only, and each keyword next to its type. This is not done before the
 * schema is compiled, because errors of alternatives say less.
 */
function withoutUnions(schema: object): object {
  const { type: types, additionalProperties, ...rest } = schema as Record<string, unknown>;
  if (!Array.isArray(types)) return schema;
  const forObjects = additionalProperties !== undefined && { additionalProperties };
  return { ...rest, anyOf: types.map((type: unknown) => ({ type, ...(type === 'object' && forObjects) })) };
}

/** The manifest's schema, derived from the schema for editors. */
function writeManifestSchema(): void {
  const { $schema, ...schema } = readSchema(manifestSource, withoutUnions) as { $schema: string };
  const $comment = `Generated from ${manifestSource} by npm run generate: edit that file.`;
  writeSchema('platform-manifest', { $schema, $comment, ...schema });
}

/** An unchanged file keeps its time, so that watchers see no change. */
function writeChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

const writeSchema = (name: string, schema: object): void =>
  writeChanged(join(root, `schemas/${name}.schema.json`), `${JSON.stringify(schema, undefined, 2)}\n`);

/**
 * The keyword that selects one of several objects by its type. Plain validators don't know it, and report
 * worse errors.
 */
const withDiscriminators = (schema: object): object =>
  'oneOf' in schema ? { ...schema, discriminator: { propertyName: 'type' } } : schema;

const declaration = `export interface SchemaError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}
export declare const validate: ((value: unknown) => boolean) & { errors?: SchemaError[] | null };
`;

interface Compiled {
  schema: string;
  output: string;
  options?: Options;
}

async function compile({ schema, output, options }: Compiled): Promise<void> {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: true,
    allowUnionTypes: true,
    discriminator: true,
    ...options,
    code: { source: true, esm: true },
  });
  const validate = ajv.compile(readSchema(schema, withDiscriminators));
  await writeModule(output, standalone.default(ajv, validate), declaration);
}

/** A separate module, with everything that ajv's functions import bundled into it. */
async function writeModule(output: string, code: string, types: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  mkdirSync(dirname(join(root, output)), { recursive: true });
  writeFileSync(join(root, `${output}.js`), outputFiles[0]?.text ?? '');
  writeFileSync(join(root, `${output}.d.ts`), types);
}

const routeDeclaration = `import type { RouteName } from '../console-api.js';
export interface ServedRoute {
  /** Checks the input; drops fields that the route does not declare. */
  validate: ((input: unknown) => boolean) & { errors?: InputError[] | null };
  /** Some fields of the input are in the JSON body. */
  takesBody: boolean;
  reveals: boolean;
  maxBodyMiB: number;
}
export interface InputError {
  instancePath: string;
  keyword: string;
  params: { type?: string; missingProperty?: string; allowedValues?: string[] };
}
export declare const routes: Readonly<Partial<Record<RouteName, ServedRoute>>>;
`;

/** The input checks of the routes: for query strings, where every value is text, and for bodies. */
async function compileRoutes(): Promise<void> {
  const routes = Object.entries<Route>(consoleApi);
  const isQuery = ([name]: [string, Route]): boolean => /^(GET|DELETE) /.test(name);
  await writeRoutes('query', routes.filter(isQuery));
  await writeRoutes(
    'body',
    routes.filter((route) => !isQuery(route)),
  );
  const document = `export const document = ${JSON.stringify(describeApi())};\n`;
  await writeModule('src/contract/generated/openapi', document, 'export declare const document: object;\n');
}

async function writeRoutes(kind: 'query' | 'body', routes: [string, Route][]): Promise<void> {
  const ajv = new Ajv2020({
    strict: true,
    messages: false,
    removeAdditional: true,
    coerceTypes: kind === 'query',
    code: { source: true, esm: true },
  });
  const table = routes.map(([name, route], at) => {
    const { path, body } = fieldsOf(name, route);
    for (const field of path)
      if (!route.input.required?.includes(field))
        throw new Error(`The input of ${name} does not have ${field}.`);
    ajv.addSchema({ ...route.input, additionalProperties: false }, `input${at}`);
    const { reveals = false, maxBodyMiB = 1 } = route;
    return `${JSON.stringify(name)}: { validate: input${at}, takesBody: ${body.length > 0}, reveals: ${reveals}, maxBodyMiB: ${maxBodyMiB} }`;
  });
  const checks = standalone.default(
    ajv,
    Object.fromEntries(routes.map((_, at) => [`input${at}`, `input${at}`])),
  );
  const code = `${checks}\nexport const routes = { ${table.join(', ')} };\n`;
  await writeModule(`src/contract/generated/${kind}-routes`, code, routeDeclaration);
}

const toolDeclaration = `import type { AgentToolName } from '../../contract/agent-tools.js';
export interface SchemaError {
  /** Empty if an argument is missing or unknown. Its name is then in the parameters. */
  instancePath: string;
  params: { missingProperty?: string; additionalProperty?: string };
}
export interface ListedTool {
  title: string;
  description: string;
  changes: boolean;
  inputSchema: { type: 'object'; properties: Record<string, { [keyword: string]: string }>; required?: string[] };
  /** Checks the input. */
  validate: ((input: unknown) => boolean) & { errors?: SchemaError[] | null };
}
export declare const tools: Readonly<Record<AgentToolName, ListedTool>>;
/** Every word that the contract declares: choices, error codes, types of events. */
export declare const words: readonly string[];
`;

/** The tools of `platform mcp`, and the words that its results may contain as facts. */
async function writeAgentTools(): Promise<void> {
  const list = Object.entries<AgentTool>(agentTools);
  const ajv = new Ajv2020({ strict: true, messages: false, code: { source: true, esm: true } });
  const schemas = list.map(([, { input }], at) => {
    const schema = JSON.parse(JSON.stringify({ ...input, additionalProperties: false })) as object;
    ajv.addSchema(schema, `input${at}`);
    return schema;
  });
  const checks = standalone.default(
    ajv,
    Object.fromEntries(list.map((_, at) => [`input${at}`, `input${at}`])),
  );
  const table = list.map(([name, { title, description, changes = false }], at) => {
    const shown = JSON.stringify({ title, description, changes, inputSchema: schemas[at] });
    return `${name}: { ...${shown}, validate: input${at} }`;
  });
  const words = new Set<string>();
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (['enum', 'errors', 'const'].includes(key))
        for (const word of [value].flat()) if (typeof word === 'string') words.add(word);
      collect(value);
    }
  };
  collect(consoleApi);
  collect(eventSchema(root));
  for (const word of [...listCodes(docsFolder), ...scopes]) words.add(word);
  const code = `${checks}\nexport const tools = { ${table.join(', ')} };\nexport const words = ${JSON.stringify([...words].sort())};\n`;
  await writeModule('src/mcp/generated/agent-tools', code, toolDeclaration);
}

/** The names and types that authors can import. `init --from` looks names up in this list. */
function listExports(): void {
  const entry = join(root, 'src/runtime/index.ts');
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    jsx: ts.JsxEmit.ReactJSX,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  const exported = module ? checker.getExportsOfModule(module) : [];
  const names = exported.map(({ name }) => name);
  const client = exported.find(({ name }) => name === 'PlatformApi');
  const members = (type: ts.Type): ts.Symbol[] => type.getProperties();
  const groups = client ? members(checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(client))) : [];
  const calls = groups.flatMap((group) =>
    members(checker.getTypeOfSymbol(group)).map(({ name }) => `${group.name}.${name}`),
  );
  const output = join(root, 'src/scaffold/generated/sdk-exports');
  mkdirSync(dirname(output), { recursive: true });
  const lists = Object.entries({ sdkExports: names, sdkCalls: calls });
  const render = (list: string[]): string => JSON.stringify(list.sort(), null, 2);
  writeFileSync(
    `${output}.js`,
    lists.map(([name, list]) => `export const ${name} = ${render(list)};\n`).join(''),
  );
  writeFileSync(
    `${output}.d.ts`,
    lists.map(([name]) => `export declare const ${name}: readonly string[];\n`).join(''),
  );
}

const elementsDeclaration = (
  names: string[],
): string => `export type ElementName = ${names.map((name) => `'${name}'`).join(' | ')};
/** By element and property: whether the property can contain markup. */
export declare const markupElements: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
`;

async function writeMarkupElements(): Promise<void> {
  const table = listMarkupElements(join(root, 'src/runtime/jsx/elements.ts'));
  const code = `export const markupElements = ${JSON.stringify(table)};\n`;
  await writeModule('src/protocol/generated/markup-elements', code, elementsDeclaration(Object.keys(table)));
}

/** The types of each template's manifest, as `platform types` writes them. */
async function writeTemplateTypes(): Promise<void> {
  // Reads manifests with a validator that is generated first.
  const { manifestFileName, parseManifest, renderEnvironmentTypes, typesFileName } =
    await import('../src/manifest/index.js');
  const texts = { name: 'a', title: 'A', description: 'A', organization: 'a', visibility: 'private' };
  const values = { ...texts, scopes: ' []', nodeModules: '', js: 'ts', jsx: 'tsx' };
  for (const { name } of templates) {
    const folder = join(root, 'templates', name);
    const loaded = parseManifest(fillIn(readFileSync(join(folder, manifestFileName), 'utf8'), values));
    if (!loaded.ok) throw new Error(`${name}: ${loaded.diagnostics.map(({ message }) => message).join(' ')}`);
    writeChanged(join(folder, typesFileName), renderEnvironmentTypes(loaded.value));
  }
}

writeManifestSchema();
writeSchema('events', eventSchema(root));
writeSchema('webhook-payloads', webhookPayloadSchema(root));
listExports();
await writeMarkupElements();
await compileRoutes();
await writeAgentTools();
await Promise.all(compiled.filter(({ schema }) => existsSync(join(root, schema))).map(compile));
await writeTemplateTypes();
