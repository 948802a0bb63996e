/** Azure Pipelines and TeamCity do not set `CI`. */
const ciVariables = ['CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'];

/**
 * CI systems run commands that they find in the output, such as `::add-mask::` or `##vso[`. In CI, breaks these commands visibly.
 * The escapes keep JSON valid and its values the same.
 */
export function breakCiCommands(text: string, env: Readonly<Record<string, string | undefined>>): string {
  if (!ciVariables.some((name) => env[name])) return text;
  return text
    .split('\n')
    .map((line) => line.replace(/^(\s*):(?=:)/, String.raw`$1\u003A`))
    .join('\n')
    .replaceAll(/##(?=\[|vso\[|teamcity\[)/gi, String.raw`#\u0023`);
}
