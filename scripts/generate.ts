import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Schemas that become plain functions, so that nothing compiles a schema while a command starts. */
const compiled = [
  { schema: 'schemas/platform-manifest.schema.json', output: 'src/manifest/generated/validate-manifest' },
  { schema: 'schemas/platform-dev.schema.json', output: 'src/manifest/generated/validate-dev-settings' },
  { schema: 'schemas/events.schema.json', output: 'src/protocol/generated/validate-event' },
  {
    schema: 'schemas/webhook-payloads.schema.json',
    output: 'src/protocol/generated/validate-webhook-payload',
  },
];

/** Words that editors read and validation does not. */
const forEditors = ['markdownDescription', 'enumDescriptions', 'defaultSnippets'];

const declaration = `export interface SchemaError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}
export declare const validate: ((value: unknown) => boolean) & { errors?: SchemaError[] | null };
`;

async function compile({ schema, output }: { schema: string; output: string }): Promise<void> {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    formats: { uri: true },
    code: { source: true, esm: true },
  });
  for (const keyword of forEditors) ajv.addKeyword(keyword);
  const validate = ajv.compile(JSON.parse(readFileSync(join(root, schema), 'utf8')));
  const code = standalone.default(ajv, validate);
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  mkdirSync(dirname(join(root, output)), { recursive: true });
  writeFileSync(join(root, `${output}.js`), outputFiles[0]?.text ?? '');
  writeFileSync(join(root, `${output}.d.ts`), declaration);
}

/** What authors can import and call, types included: `init --from` looks names up in it. */
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

listExports();
await Promise.all(compiled.filter(({ schema }) => existsSync(join(root, schema))).map(compile));
