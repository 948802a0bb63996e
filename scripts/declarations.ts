import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';

const host: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  getCanonicalFileName: (file) => file,
  getNewLine: () => '\n',
};

/**
 * Writes the types of a project's `files`, and of what these types import. The compiler would write a file for
 * every module that the code imports, and most of those describe code that is bundled.
 */
export function writeDeclarations(configFile: string): void {
  const { options, fileNames, errors } = readConfig(configFile);
  const program = ts.createProgram(fileNames, options);
  // The declarations of the other files are not written, so their types need no names.
  requireNone([...errors, ...program.getGlobalDiagnostics(), ...program.getSemanticDiagnostics()]);

  // A set also visits what is added during the loop.
  const needed = new Set(fileNames);
  for (const file of needed) {
    const write = (output: string, text: string): void => {
      mkdirSync(dirname(output), { recursive: true });
      writeFileSync(output, text);
      for (const { fileName } of ts.preProcessFile(text).importedFiles)
        if (fileName.startsWith('.')) needed.add(sourceOf(fileName, file, options));
    };
    requireNone(program.emit(program.getSourceFile(file), write, undefined, true).diagnostics);
  }
}

function readConfig(configFile: string): ts.ParsedCommandLine {
  const config = ts.getParsedCommandLineOfConfigFile(configFile, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => requireNone([diagnostic]),
  });
  if (!config) throw new Error(`File not found: ${configFile}`);
  return config;
}

function sourceOf(specifier: string, importer: string, options: ts.CompilerOptions): string {
  const { resolvedModule } = ts.resolveModuleName(specifier, importer, options, ts.sys);
  if (!resolvedModule || resolvedModule.resolvedFileName.endsWith('.d.ts'))
    throw new Error(`The types of ${importer} import ${specifier}, which the compiler does not write.`);
  return resolvedModule.resolvedFileName;
}

function requireNone(diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, host));
}
